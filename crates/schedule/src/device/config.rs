//! CubeCL's settings, set once before its first client.

use std::sync::{Arc, Once};

use cubecl::config::{
    CubeClRuntimeConfig, RuntimeConfig,
    memory::{MemoryConfig, PersistentMemory},
};

/// Sets them, unless a program that uses CubeCL itself has.
pub(super) fn set_up() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let mut config = CubeClRuntimeConfig::default().override_from_env();
        // Pools would round sizes up and cap them.
        config.memory =
            MemoryConfig { persistent_memory: PersistentMemory::Enforced, ..config.memory };
        #[cfg(feature = "cuda")]
        {
            use cubecl::config::cache::CacheConfig;
            config.compilation.cache = super::cache::folder().map(CacheConfig::File);
        }
        let mut settings = CubeClRuntimeConfig::storage().lock();
        settings.get_or_insert_with(|| Arc::new(config));
    });
}
