"""pyc.runtime on the host context, against products computed here. What needs NumPy is skipped where there is none."""

import array
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pyc import _libpyc, runtime  # noqa: E402

numpy = importlib.import_module("numpy") if importlib.util.find_spec("numpy") else None
needs_numpy = unittest.skipIf(numpy is None, f"NumPy is not installed for {sys.executable}")


class HostCase(unittest.TestCase):
    def setUp(self):
        self.context = runtime.Context("host")
        self.addCleanup(self.context.close)


class PlainMemory(HostCase):
    """Pointers without NumPy: array.array through Matrix, and an object of our own with DLPack."""

    @staticmethod
    def matrix(values, rows, columns, ld=None, dtype="fp32"):
        return runtime.Matrix(values.buffer_info()[0], (rows, columns), (ld or columns, 1), dtype, owner=values)

    def test_a_product_of_whole_numbers_is_exact(self):
        a, b, c = (
            array.array("f", [1, 2, 3, 4, 5, 6]),
            array.array("f", [1, 0, 0, 1, 1, 1]),
            array.array("f", [9.0] * 4),
        )
        self.context.gemm(self.matrix(a, 2, 3), self.matrix(b, 3, 2), self.matrix(c, 2, 2), alpha=2)
        self.assertEqual(c.tolist(), [8, 10, 20, 22])

    def test_padding_between_rows_is_not_touched(self):
        a, b, c = array.array("f", [1, 2, 3, 4]), array.array("f", [1, 0, 0, 1]), array.array("f", [-1.0] * 6)
        self.context.gemm(self.matrix(a, 2, 2), self.matrix(b, 2, 2), self.matrix(c, 2, 2, ld=3))
        self.assertEqual(c.tolist(), [1, 2, -1, 3, 4, -1])

    def test_bfloat16_is_computed_from_its_bits(self):
        one, three = 0x3F80, 0x4040
        a, c = array.array("H", [one] * 3), array.array("H", [0])
        row, column = self.matrix(a, 1, 3, dtype="bf16"), self.matrix(a, 3, 1, dtype="bf16")
        self.context.gemm(row, column, self.matrix(c, 1, 1, dtype="bf16"))
        self.assertEqual(c.tolist(), [three])

    def test_what_speaks_like_a_tensor_is_read_by_its_own_strides(self):
        class Tensor:
            dtype = "torch.float32"
            device = type("Device", (), {"type": "cpu", "index": None})

            def __init__(self, values, shape, strides):
                self.values, self.shape, self.strides = values, shape, strides

            def data_ptr(self):
                return self.values.buffer_info()[0]

            def stride(self):
                return self.strides

        a, b, c = array.array("f", [1, 2, 3, 4, 5, 6]), array.array("f", [1, 0, 2, 1]), array.array("f", [0.0] * 6)
        self.context.gemm(Tensor(a, (3, 2), (1, 3)), Tensor(b, (2, 2), (2, 1)), Tensor(c, (3, 2), (2, 1)))
        self.assertEqual(c.tolist(), [9, 4, 12, 5, 15, 6])
        elsewhere = Tensor(a, (3, 2), (1, 3))
        elsewhere.device = type("Device", (), {"type": "mps", "index": 0, "__str__": lambda self: "mps:0"})()
        with self.assertRaisesRegex(ValueError, "a: memory of device mps:0 is not served"):
            self.context.gemm(elsewhere, elsewhere, elsewhere)

    def test_no_array_is_a_type_error_that_names_the_argument(self):
        a = self.matrix(array.array("f", [1]), 1, 1)
        with self.assertRaisesRegex(TypeError, "b: list is no array"):
            self.context.gemm(a, [[1.0]], a)

    def test_a_shape_of_one_dimension_is_refused(self):
        values = array.array("f", [1, 2])
        with self.assertRaisesRegex(ValueError, r"a matrix or a batch of matrices, got shape \(2,\)"):
            runtime.Matrix(values.buffer_info()[0], (2,), (1,), "fp32")

    def test_an_unknown_dtype_lists_the_known(self):
        with self.assertRaisesRegex(TypeError, "'fp64' is not served: expected one of fp32, fp16, bf16"):
            runtime.Matrix(64, (1, 1), (1, 1), "fp64")


class Errors(HostCase):
    def test_the_librarys_status_and_detail_are_in_the_exception(self):
        pointer = array.array("f", [0.0] * 4)
        ok = PlainMemory.matrix(pointer, 2, 2)
        null = runtime.Matrix(0, (2, 2), (2, 1), "fp32")
        with self.assertRaises(runtime.PycError) as raised:
            self.context.gemm(null, ok, ok)
        self.assertEqual(raised.exception.status, _libpyc.INVALID_VALUE)
        self.assertEqual(raised.exception.detail, "a is NULL")
        self.assertIn("an argument breaks its contract: a is NULL", str(raised.exception))

    def test_a_device_that_is_not_there_is_a_pyc_error(self):
        with self.assertRaises(runtime.PycError):
            runtime.Context(4096)

    def test_a_device_that_is_no_device_is_a_value_error(self):
        for device in ("gpu", "cuda:x", "host:1", ""):
            with self.assertRaisesRegex(ValueError, "expected"):
                runtime.Context(device)

    def test_a_number_that_c_would_cut_off_is_a_value_error(self):
        for device in (2**32, 2**32 - 1, -2, "cuda:4294967296"):
            with self.assertRaisesRegex(ValueError, "device is"):
                runtime.Context(device)
        one = PlainMemory.matrix(array.array("f", [1.0]), 1, 1)
        for size in (-1, 2**64):
            with self.assertRaisesRegex(ValueError, f"max_workspace_bytes is {size}"):
                self.context.plan(one, one, one, max_workspace_bytes=size)
        with self.context.plan(one, one, one) as plan:
            with self.assertRaisesRegex(ValueError, "workspace size is -1"):
                plan.run(one, one, one, workspace=(256, -1))

    def test_an_ordinal_may_be_any_integer(self):
        class Integer:
            def __index__(self):
                return runtime.DEVICE_HOST

        with runtime.Context(Integer()) as context:
            self.assertEqual(context.device, runtime.DEVICE_HOST)

    def test_a_workspace_may_be_of_any_integers(self):
        class Integer:
            def __init__(self, value):
                self.value = value

            def __index__(self):
                return self.value

        one = PlainMemory.matrix(array.array("f", [1.0]), 1, 1)
        with self.context.plan(one, one, one) as plan:
            with self.assertRaisesRegex(runtime.PycError, "workspace is NULL, and workspace_bytes is 256"):
                plan.run(one, one, one, workspace=(Integer(0), Integer(256)))

    def test_device_memory_does_not_go_to_a_host_context(self):
        class OnDevice:
            __cuda_array_interface__ = {"shape": (2, 2), "typestr": "<f4", "data": (256, False), "version": 3}

        with self.assertRaisesRegex(ValueError, "a is device memory, and the context is for host memory"):
            self.context.gemm(OnDevice(), OnDevice(), OnDevice())

    def test_a_mask_is_not_passed_over(self):
        class Masked:
            __cuda_array_interface__ = {"shape": (2, 2), "typestr": "<f4", "data": (256, False), "version": 3,
                                        "mask": object()}  # fmt: skip

        with self.assertRaisesRegex(ValueError, "a: an array with a mask is not served"):
            self.context.gemm(Masked(), Masked(), Masked())

    def test_a_closed_context_says_so(self):
        self.context.close()
        self.context.close()
        one = PlainMemory.matrix(array.array("f", [1.0]), 1, 1)
        with self.assertRaisesRegex(ValueError, "the context is closed"):
            self.context.gemm(one, one, one)

    def test_a_with_block_closes_what_it_opened_also_when_it_is_left_by_an_error(self):
        one = PlainMemory.matrix(array.array("f", [1.0]), 1, 1)
        with self.assertRaises(ZeroDivisionError), self.context.plan(one, one, one) as plan:
            raise ZeroDivisionError
        with self.assertRaisesRegex(ValueError, "the plan is closed"):
            plan.run(one, one, one)

    def test_what_is_no_stream_is_refused(self):
        one = PlainMemory.matrix(array.array("f", [1.0]), 1, 1)
        for stream in ("0", -1, True, object()):
            with self.assertRaisesRegex(TypeError, "is no stream"):
                self.context.gemm(one, one, one, stream=stream)

    def test_streams_are_taken_in_every_form(self):
        a, c = array.array("f", [3.0]), array.array("f", [0.0])
        forms = {"cuda_stream": 0, "ptr": 0, "__cuda_stream__": lambda: (0, 0)}
        for stream in (
            0,
            None,
            *(type("Stream", (), {n: staticmethod(v) if callable(v) else v})() for n, v in forms.items()),
        ):
            self.context.gemm(*(PlainMemory.matrix(x, 1, 1) for x in (a, a, c)), stream=stream)
        self.assertEqual(c.tolist(), [9.0])


class Library(unittest.TestCase):
    def expect_not_loaded(self, library, reason, folder=None):
        code = "from pyc import runtime; runtime.version()"
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYC_RUNTIME_LIBRARY": library}
        done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=folder, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"  {library}: ", done.stderr)
        self.assertIn(reason, done.stderr)
        self.assertIn("set PYC_RUNTIME_LIBRARY", done.stderr)

    def test_an_editable_installation_has_it_in_another_folder_of_the_package(self):
        with tempfile.TemporaryDirectory() as built:
            Path(built, "libpyc.so").symlink_to(os.environ["PYC_RUNTIME_LIBRARY"])
            code = f"import pyc; pyc.__path__.append({built!r}); from pyc import runtime; print(runtime.version())"
            environment = {k: v for k, v in os.environ.items() if k != "PYC_RUNTIME_LIBRARY"}
            environment["PYTHONPATH"] = str(ROOT / "python")
            printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        self.assertEqual(printed.stdout.decode().strip(), runtime.version())

    def test_a_library_that_is_not_there_is_named_with_the_remedy(self):
        self.expect_not_loaded("/nowhere/libpyc.so", "No such file")

    def test_a_file_of_that_name_in_the_current_folder_is_not_what_a_name_alone_means(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "libpyc_nowhere.so").touch()
            self.expect_not_loaded("libpyc_nowhere.so", "No such file", folder)

    def test_a_library_that_lacks_the_api_is_not_taken(self):
        self.expect_not_loaded(
            "libc.so.6", "undefined symbol: pyc_context_create: not libpyc, or one of another version"
        )

    def test_a_library_of_another_architecture_is_not_called_missing(self):
        elsewhere = bytearray(Path(sys.executable).read_bytes()[:1024])
        elsewhere[18:20] = b"\x16\x16"  # e_machine: 0x1616, whichever byte comes first, is no machine's
        with tempfile.NamedTemporaryFile(suffix=".so") as library:
            library.write(elsewhere)
            library.flush()
            self.expect_not_loaded(library.name, "the file is for another architecture")

    def test_the_build_tells_what_the_version_tells(self):
        build = runtime.build()
        self.assertEqual(build["version"], runtime.version())
        self.assertGreaterEqual(build["promoted_kernels"], 0)

    def test_constants_are_the_headers(self):
        header = (ROOT / "include" / "pyc" / "gemm.h").read_text()
        for prefix, names in (("DTYPE", _libpyc.DTYPES), ("LAYOUT", _libpyc.LAYOUTS), ("PRECISION", _libpyc.PRECISIONS),
                              ("DETERMINISM", _libpyc.DETERMINISMS), ("VERDICT", _libpyc.VERDICTS)):  # fmt: skip
            values = dict(re.findall(rf"PYC_{prefix}_(\w+) = (\d+)", header))
            self.assertEqual({name.upper(): str(i) for i, name in enumerate(names)}, values)
        self.assertIn(f"#define PYC_RUNG_SLOTS {_libpyc.RUNG_SLOTS} ", header)
        self.assertIn(f"#define PYC_WORKSPACE_BYTES ((size_t){_libpyc.WORKSPACE_BYTES >> 20} << 20)", header)

    def test_every_function_of_the_header_is_bound(self):
        header = (ROOT / "include" / "pyc" / "gemm.h").read_text()
        self.assertEqual(sorted(re.findall(r"PYC_API [^;(]*\b(pyc_\w+)\(", header)), sorted(_libpyc._FUNCTIONS))

    def test_structs_are_the_headers(self):
        header = (ROOT / "include" / "pyc" / "gemm.h").read_text()
        for name, struct in (("gemm_desc", _libpyc.GemmDesc), ("gemm_plan_options", _libpyc.PlanOptions),
                             ("rung_report", _libpyc.RungReport), ("counters", _libpyc.Counters),
                             ("build", _libpyc.Build)):  # fmt: skip
            body = re.search(rf"typedef struct pyc_{name} {{(.*?)}} pyc_{name};", header, re.S)[1]
            declarations = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
            fields = [word for line in re.findall(r"[\w ]+?[ *](\w[^;]*);", declarations)
                      for word in re.findall(r"(\w+)(?:\[\w+\])?\s*(?:,|$)", line)]  # fmt: skip
            self.assertEqual([field for field, _ in struct._fields_], fields)


@needs_numpy
class NumpyArrays(HostCase):
    def random(self, *shape, dtype="float32"):
        generator = numpy.random.default_rng(sum(shape))
        return generator.uniform(-1, 1, shape).astype(dtype)

    def expect_product(self, a, b, c, alpha=1.0, beta=0.0, bound=1e-5):
        expected = alpha * (a.astype("float64") @ b.astype("float64"))
        if beta != 0.0:
            expected = expected + beta * c.astype("float64")
        self.context.gemm(a, b, c, alpha=alpha, beta=beta)
        numpy.testing.assert_allclose(c, expected, rtol=bound, atol=bound * numpy.sqrt(a.shape[-1]))

    def test_transposed_views_are_the_four_layouts(self):
        m, n, k = 33, 20, 47
        for a in (self.random(m, k), self.random(k, m).T):
            for b in (self.random(k, n), self.random(n, k).T):
                self.expect_product(a, b, numpy.full((m, n), numpy.nan, "float32"), alpha=-0.5)
                self.expect_product(a, b, self.random(m, n), beta=2.0)

    def test_half_precision_accumulates_in_single(self):
        ones = numpy.ones((4, 4096), "float16")
        c = numpy.zeros((4, 4), "float16")
        self.context.gemm(ones, ones.T, c)
        numpy.testing.assert_array_equal(c, 4096)

    def test_slices_of_larger_matrices_are_read_in_place(self):
        a, b, c = self.random(40, 60)[3:30, 5:50], self.random(60, 40)[2:47, 1:33], self.random(50, 50)
        inside = c[10:37, 4:36]
        before = c.copy()
        self.expect_product(a, b, inside)
        before[10:37, 4:36] = inside
        numpy.testing.assert_array_equal(c, before)

    def test_three_dimensions_are_a_batch_and_two_serve_all_of_it(self):
        self.expect_product(self.random(5, 12, 30), self.random(5, 30, 9), numpy.zeros((5, 12, 9), "float32"))
        self.expect_product(self.random(12, 30), self.random(5, 30, 9), numpy.zeros((5, 12, 9), "float32"))
        self.expect_product(self.random(5, 12, 30), self.random(1, 30, 9), numpy.zeros((5, 12, 9), "float32"))

    def test_empty_sizes_are_answered(self):
        c = numpy.full((3, 4), 2.0, "float32")
        self.expect_product(numpy.zeros((3, 0), "float32"), numpy.zeros((0, 4), "float32"), c, beta=0.5)
        self.context.gemm(
            numpy.zeros((0, 3), "float32"), numpy.zeros((3, 4), "float32"), numpy.zeros((0, 4), "float32")
        )

    def test_vectors_with_steps_are_rows_or_columns(self):
        self.expect_product(self.random(1, 90)[:, ::3], self.random(30, 8), numpy.zeros((1, 8), "float32"))
        self.expect_product(self.random(6, 30), self.random(30, 1), numpy.zeros((6, 3), "float32")[:, 1:2])

    def test_what_cannot_be_addressed_is_refused_and_nothing_written(self):
        a, b, c = self.random(8, 8), self.random(8, 8), numpy.full((8, 8), 7.0, "float32")
        read_only = c.copy()
        read_only.flags.writeable = False
        cases = [
            ((a[:, ::2], b[:4], c), ValueError, "neither its rows nor its columns are contiguous"),
            ((a[::-1], b, c), ValueError, "negative strides"),
            ((a, b, c.T), ValueError, "its rows must be contiguous"),
            ((a, b, read_only), ValueError, "c is read-only"),
            ((a, b[:7], c), ValueError, "sizes do not fit"),
            ((a, b.astype("float16"), c), TypeError, "dtypes differ: a is fp32, b is fp16"),
            ((a.astype("float64"), b, c), TypeError, "a: dtype '<f8' is not served"),
            ((a.astype(">f4"), b, c), TypeError, "little-endian"),
            (
                (a, b, numpy.lib.stride_tricks.as_strided(c, (8, 8), (0, 4))),
                ValueError,
                "c has shape .* neither its rows",
            ),
            ((numpy.zeros((2, 8, 8), "float32"), b, c), ValueError, "a or b is a batch"),
            (
                (numpy.zeros((2, 8, 8), "float32"), b, numpy.zeros((3, 8, 8), "float32")),
                ValueError,
                "a is a batch of 2",
            ),
        ]
        for arguments, kind, message in cases:
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                self.context.gemm(*arguments)
        numpy.testing.assert_array_equal(c, 7.0)

    def test_dlpack_is_read_without_the_array_interface(self):
        class OnlyDlpack:
            def __init__(self, values):
                self.values = values

            def __dlpack__(self, stream=None):
                return self.values.__dlpack__()

            def __dlpack_device__(self):
                return self.values.__dlpack_device__()

        a, b, c = self.random(6, 7), self.random(9, 7), numpy.zeros((6, 9), "float32")
        self.context.gemm(OnlyDlpack(a), OnlyDlpack(b.T), OnlyDlpack(c))
        numpy.testing.assert_allclose(c, a @ b.T, rtol=1e-5, atol=1e-5)

    def test_the_explanation_names_every_rung_and_the_one_that_serves(self):
        a, c = self.random(8, 8), numpy.zeros((8, 8), "float32")
        explanation = self.context.explain(a, a, c)
        self.assertEqual([r.rung for r in explanation.reports], ["promoted", "cutlass", "cublaslt", "cublas", "cpu"])
        self.assertEqual(explanation.chosen.rung, "cpu")
        self.assertTrue(all(r.reason for r in explanation.reports if r.verdict == "refused"))
        self.assertIn("cpu       chosen", str(explanation))
        numpy.testing.assert_array_equal(c, 0)

    def test_counters_tell_which_rung_served(self):
        a, c = self.random(8, 8), numpy.zeros((8, 8), "float32")
        for _ in range(3):
            self.context.gemm(a, a, c)
        counters = self.context.counters()
        self.assertEqual((counters["served"]["cpu"], counters["plan_misses"], counters["plan_hits"]), (3, 1, 2))

    def test_a_plan_serves_arrays_like_its_own_and_no_others(self):
        a, b, c = self.random(24, 30), self.random(20, 30).T, self.random(24, 20)
        with self.context.plan(a, b, c) as plan:
            expected = 2 * (a @ b) - c
            self.assertIs(plan.run(a, b, c, alpha=2, beta=-1), c)
            numpy.testing.assert_allclose(c, expected, rtol=1e-5, atol=1e-5)
            self.assertEqual(plan.explain().chosen.rung, "cpu")
            self.assertEqual(plan.workspace_bytes, 0)
            for others, message in (
                ((a, self.random(30, 20), c), "layout is 0, and the plan was made for 1"),
                ((a[:, :29], b[:29], c), "k is 29, and the plan was made for 30"),
                ((self.random(24, 40)[:, :30], b, c), "lda is 40, and the plan was made for 30"),
            ):
                with self.assertRaisesRegex(ValueError, message):
                    plan.run(*others)
            numpy.testing.assert_allclose(c, expected, rtol=1e-5, atol=1e-5)
        with self.assertRaisesRegex(ValueError, "the plan is closed"):
            plan.run(a, b, c)

    def test_a_plan_outlives_its_context(self):
        a, c = self.random(8, 8), numpy.zeros((8, 8), "float32")
        plan = self.context.plan(a, a, c)
        self.context.close()
        numpy.testing.assert_allclose(plan.run(a, a, c), a @ a, rtol=1e-5, atol=1e-5)

    def test_a_warm_up_makes_the_first_call_warm_and_touches_no_array(self):
        a, c = self.random(8, 8), numpy.full((8, 8), 5.0, "float32")
        self.context.warmup(a, a, c)
        numpy.testing.assert_array_equal(c, 5.0)
        self.context.gemm(a, a, c)
        self.assertEqual(self.context.counters()["plan_hits"], 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
