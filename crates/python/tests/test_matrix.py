"""Sparse matrices beside SciPy."""

import numpy as np
import pytest
import scipy.sparse as sp

import equipoise as eq


def random_matrix(kind: str, rows: int = 30, columns: int = 20, seed: int = 1):
    values = np.random.default_rng(seed)
    return sp.random_array((rows, columns), density=0.2, dtype=kind, rng=values).tocsr()


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("shape", ["csr", "csc", "coo"])
def test_products_are_scipys(kind, shape):
    theirs = random_matrix(kind).asformat(shape)
    ours = eq.Matrix.from_scipy(theirs)
    assert (ours.shape, ours.nonzeros, ours.dtype) == ((30, 20), theirs.nnz, kind)
    np.testing.assert_array_equal(ours.to_scipy().toarray(), theirs.toarray())
    tolerance = 1e-5 if kind == "float32" else 1e-12
    x = np.random.default_rng(2).random((20, 7)).astype(kind)
    for right in (x[:, 0], x, np.asfortranarray(x), x[:, ::2]):
        product = ours @ right
        assert product.dtype == kind and product.shape == (theirs @ right).shape
        np.testing.assert_allclose(product, theirs @ right, rtol=tolerance)
    other = random_matrix(kind, 20, 25, seed=3)
    product = (ours @ eq.Matrix.from_scipy(other)).to_scipy()
    np.testing.assert_allclose(product.toarray(), (theirs @ other).toarray(), rtol=tolerance)


def test_whole_numbers_are_taken_and_nothing_is_rounded():
    ours = eq.Matrix.from_scipy(sp.csr_array(np.array([[1, 2], [0, 3]])))
    assert ours.dtype == np.float64 and (ours @ [1, 2]).tolist() == [5, 6]
    narrow = eq.Matrix.from_scipy(sp.eye_array(2, dtype="float32"))
    assert (narrow @ [0.5, 2.0]).dtype == np.float32
    with pytest.raises(ValueError, match="float32 does not hold"):
        narrow @ [0.1, 0.2]
    with pytest.raises(ValueError, match="float64 does not hold"):
        eq.Matrix.from_scipy(sp.csr_array(np.array([[2**53 + 1]])))
    with pytest.raises(ValueError, match="complex128"):
        eq.Matrix.from_scipy(sp.eye_array(2, dtype=complex))


def test_factors_that_do_not_fit_are_refused():
    ours = eq.Matrix.from_scipy(random_matrix("float64"))
    for right in (np.ones(19), np.ones((30, 2)), np.ones((20, 2, 2)), 3.0):
        with pytest.raises(ValueError, match="30 × 20"):
            ours @ right
    with pytest.raises(ValueError):
        ours @ ours
    with pytest.raises(ValueError, match="float32 both"):
        ours @ eq.Matrix.from_scipy(random_matrix("float32", 20, 5))
    with pytest.raises(TypeError):
        np.ones(30) @ ours


def test_factors_with_masked_values_are_refused():
    ours = eq.Matrix.from_scipy(sp.eye_array(2))
    with pytest.raises(ValueError, match="masked"):
        ours @ np.ma.masked_array([1.0, 2.0], mask=[False, True])
    assert (ours @ np.ma.masked_array([1.0, 2.0], mask=False)).tolist() == [1, 2]


def test_room_behind_the_entries_does_not_matter():
    matrix = sp.csr_array(np.array([[1.0, 2.0], [0.0, 3.0]]))
    roomy = sp.csr_array((2, 2))
    roomy.data, roomy.indices = np.append(matrix.data, 9.0), np.append(matrix.indices, 0)
    roomy.indptr = matrix.indptr
    assert (eq.Matrix.from_scipy(roomy) @ [1, 1]).tolist() == (matrix @ [1, 1]).tolist()


def test_a_matrix_without_entries_has_products():
    empty = eq.Matrix.from_scipy(sp.csr_array((3, 0)))
    assert (empty @ np.ones(0)).tolist() == [0, 0, 0]
    assert (eq.Matrix.from_scipy(sp.csr_array((0, 3))) @ np.ones((3, 2))).shape == (0, 2)
