//! Values that algorithms cache with a graph for later runs.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// One value per type, created on first use.
#[derive(Default)]
pub(crate) struct Cache(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Cache {
    /// The value of a type, created on the first call.
    pub fn get<T: Any + Send + Sync + Default>(&self) -> Arc<T> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = values.entry(TypeId::of::<T>()).or_insert_with(|| Arc::<T>::default());
        // The key is the type of the value.
        Arc::downcast(Arc::clone(value)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;

    #[test]
    fn each_type_has_its_own_value() {
        let cache = Cache::default();
        cache.get::<OnceLock<u32>>().set(7).unwrap();
        cache.get::<OnceLock<u64>>().set(8).unwrap();
        assert_eq!(cache.get::<OnceLock<u32>>().get(), Some(&7));
        assert_eq!(cache.get::<OnceLock<u64>>().get(), Some(&8));
    }
}
