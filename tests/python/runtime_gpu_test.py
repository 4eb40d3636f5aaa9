"""pyc.runtime on a GPU with PyTorch's tensors: layouts, dtypes, padding, batches, streams, capture, and every rung.
Exits with 77 (skipped) where PyTorch or a GPU is missing, or where the library was built without CUDA."""

import importlib
import importlib.util
import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pyc import runtime  # noqa: E402

torch = importlib.import_module("torch") if importlib.util.find_spec("torch") else None
RUNGS = ("promoted", "cutlass", "cublaslt", "cublas")


def context_with(**variables):
    """A context that was created under these environment variables."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        return runtime.Context(0)
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def random(*shape, dtype):
    return (torch.rand(*shape, device="cuda:0", dtype=torch.float64) * 2 - 1).to(dtype)


def unit_roundoff(dtype):
    return torch.finfo(dtype).eps / 2


class GpuCase(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(7)
        self.context = runtime.Context("cuda:0")
        self.addCleanup(self.context.close)

    def expect_product(self, a, b, c, alpha=1.0, beta=0.0, context=None, stream=None):
        """|c - reference| within the roundings of an fp32 sum and of one store in C's dtype; a NaN is outside."""
        product, magnitude = a.double() @ b.double(), a.double().abs() @ b.double().abs()
        expected = alpha * product + (beta * c.double() if beta else 0.0)
        sums = abs(alpha) * (a.shape[-1] ** 0.5 + 8) * torch.finfo(torch.float32).eps * magnitude
        (context or self.context).gemm(a, b, c, alpha=alpha, beta=beta, stream=stream)
        torch.cuda.synchronize()
        bound = sums + 2 * unit_roundoff(c.dtype) * expected.abs() + torch.finfo(c.dtype).tiny
        outside = ~((c.double() - expected).abs() <= bound)
        self.assertEqual(int(outside.sum()), 0, f"{tuple(c.shape)} {c.dtype}: {outside.nonzero()[:3].tolist()}")


class Products(GpuCase):
    def test_every_dtype_and_layout_is_right(self):
        m, n, k = 129, 72, 200
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            for a in (random(m, k, dtype=dtype), random(k, m, dtype=dtype).T):
                for b in (random(k, n, dtype=dtype), random(n, k, dtype=dtype).T):
                    nan = torch.full((m, n), float("nan"), device="cuda:0", dtype=dtype)
                    self.expect_product(a, b, nan, alpha=-0.5)
                    self.expect_product(a, b, random(m, n, dtype=dtype), beta=2.0)

    def test_padded_rows_are_read_in_place_and_their_padding_is_untouched(self):
        for dtype in (torch.float32, torch.bfloat16):
            a, b = random(96, 130, dtype=dtype)[:, 3:123], random(120, 90, dtype=dtype)[:, :80]
            whole = random(96, 101, dtype=dtype)
            before = whole.clone()
            self.expect_product(a, b, whole[:, 1:81])
            before[:, 1:81] = whole[:, 1:81]
            self.assertTrue(torch.equal(whole, before))

    def test_three_dimensions_are_a_batch(self):
        a, b = random(6, 64, 96, dtype=torch.float16), random(96, 48, dtype=torch.float16)
        self.expect_product(a, b, torch.empty(6, 64, 48, device="cuda:0", dtype=torch.float16))

    def test_tf32_is_used_only_when_asked(self):
        a, c = random(512, 512, dtype=torch.float32), torch.empty(512, 512, device="cuda:0")
        context = context_with(PYC_DISABLE_RUNGS="promoted,cutlass")
        self.addCleanup(context.close)
        self.expect_product(a, a, c, context=context)
        context.gemm(a, a, c, precision="allow_tf32")
        error = (c.double() - a.double() @ a.double()).abs().max()
        self.assertGreater(float(error), 1e-4)


class Rungs(GpuCase):
    """Each rung by itself: right wherever it accepts, and it accepts what it is there for."""

    # square and large_square with odd twins, and a wide product; fp16 and bf16 rows of whole 16 bytes, and others.
    SHAPES = (
        (1024, 1024, 1024),
        (700, 1024, 512),
        (1023, 1025, 1000),
        (2048, 2048, 512),
        (2049, 2056, 264),
        (16, 4096, 4096),
    )

    def serve_all(self, rung):
        served = {dtype: 0 for dtype in (torch.float32, torch.float16, torch.bfloat16)}
        context = context_with(PYC_DISABLE_RUNGS=",".join(x for x in (*RUNGS, "cpu") if x != rung))
        self.addCleanup(context.close)
        for dtype in served:
            for m, n, k in self.SHAPES:
                for b in (random(k, n, dtype=dtype), random(n, k, dtype=dtype).T):
                    a, c = random(m, k, dtype=dtype), random(m, n, dtype=dtype)
                    chosen = context.explain(a, b, c).chosen
                    if chosen is None:
                        continue
                    self.assertEqual(chosen.rung, rung)
                    self.expect_product(a, b, torch.full_like(c, float("nan")), context=context)
                    self.expect_product(a, b, c, alpha=-0.5, beta=2.0, context=context)
                    served[dtype] += 1
        return served

    def test_cublaslt_serves_everything(self):
        self.assertEqual(set(self.serve_all("cublaslt").values()), {2 * len(self.SHAPES)})

    def test_cublas_serves_everything(self):
        self.assertEqual(set(self.serve_all("cublas").values()), {2 * len(self.SHAPES)})

    def test_cutlass_serves_what_its_rows_claim(self):
        if runtime.build()["cutlass_kernels"] == 0:
            self.skipTest("this library was built without CUTLASS")
        if torch.cuda.get_device_capability(0) not in ((8, 9), (9, 0)):
            self.skipTest("the CUTLASS set is for sm89 and sm90")
        served = self.serve_all("cutlass")
        # Both layouts of every large_square shape, whose rows are whole 16 bytes for fp16 and bf16 too.
        self.assertEqual(set(served.values()), {4})

    def test_a_forced_product_of_many_batches_is_right_on_cutlass(self):
        if runtime.build()["cutlass_kernels"] == 0:
            self.skipTest("this library was built without CUTLASS")
        a, b = random(3, 2048, 512, dtype=torch.bfloat16), random(3, 512, 2048, dtype=torch.bfloat16)
        c = torch.empty(3, 2048, 2048, device="cuda:0", dtype=torch.bfloat16)
        context = context_with(PYC_DISABLE_RUNGS="promoted,cublaslt,cublas,cpu")
        self.addCleanup(context.close)
        self.expect_product(a, b, c, context=context)


class Streams(GpuCase):
    def test_the_given_stream_is_the_one_that_works(self):
        """The product waits behind work of its own stream: C is filled there first."""
        stream = torch.cuda.Stream()
        a, b = random(256, 256, dtype=torch.float32), random(256, 256, dtype=torch.float32)
        c = torch.empty(256, 256, device="cuda:0")
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(50_000_000)
            c.fill_(float("nan"))
        self.expect_product(a, b, c, stream=stream)

    def test_a_warm_call_is_captured_and_replayed_over_new_contents(self):
        for dtype in (torch.float32, torch.bfloat16):
            a, b = random(1024, 1024, dtype=dtype), random(1024, 1024, dtype=dtype)
            c = torch.zeros(1024, 1024, device="cuda:0", dtype=dtype)
            stream = torch.cuda.Stream()
            self.context.warmup(a, b, c, stream=stream)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=stream):
                self.context.gemm(a, b, c, stream=stream)
            a.copy_(random(1024, 1024, dtype=dtype))
            graph.replay()
            torch.cuda.synchronize()
            replayed = c.clone()
            self.context.gemm(a, b, c, stream=stream)
            torch.cuda.synchronize()
            self.assertTrue(torch.equal(replayed, c))

    def test_a_cold_call_in_a_capture_is_refused(self):
        a, c = random(320, 320, dtype=torch.float32), torch.zeros(320, 320, device="cuda:0")
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            with self.assertRaisesRegex(runtime.PycError, "the call is not warm"):
                self.context.gemm(a, a, c, stream=torch.cuda.current_stream())
            c.fill_(3.0)
        graph.replay()
        torch.cuda.synchronize()
        self.assertTrue(bool((c == 3.0).all()))


class Plans(GpuCase):
    def test_a_plan_runs_in_the_given_workspace_and_refuses_a_smaller_one(self):
        a, b = random(64, 8192, dtype=torch.bfloat16), random(8192, 64, dtype=torch.bfloat16)
        c = torch.empty(64, 64, device="cuda:0", dtype=torch.bfloat16)
        with self.context.plan(a, b, c) as plan:
            need = plan.workspace_bytes
            memory = torch.empty(max(need, 256), device="cuda:0", dtype=torch.uint8)
            plan.warmup()
            plan.run(a, b, c, workspace=(memory.data_ptr(), need) if need else None)
            torch.cuda.synchronize()
            self.assertLess(float((c.double() - a.double() @ b.double()).abs().max()), 1.0)  # a bf16 ulp at 128
            if need:
                with self.assertRaisesRegex(runtime.PycError, "the workspace is smaller"):
                    plan.run(a, b, c, workspace=(memory.data_ptr(), need - 1))


class Places(GpuCase):
    def test_a_host_tensor_is_refused_by_name(self):
        a, host = random(8, 8, dtype=torch.float32), torch.zeros(8, 8)
        with self.assertRaisesRegex(ValueError, "b is host memory, and the context is for a device"):
            self.context.gemm(a, host, a.clone())

    def test_the_cuda_array_interface_and_dlpack_are_read_too(self):
        class Only:
            def __init__(self, tensor, *names):
                self.tensor, self.names = tensor, names

            def __getattr__(self, name):
                if name in ("names", "tensor") or name not in self.names:
                    raise AttributeError(name)
                return getattr(self.tensor, name)

        a, b = random(40, 30, dtype=torch.float32), random(20, 30, dtype=torch.float32).T
        expected = a.double() @ b.double()
        for names in (("__cuda_array_interface__",), ("__dlpack__", "__dlpack_device__")):
            c = torch.zeros(40, 20, device="cuda:0")
            self.context.gemm(Only(a, *names), Only(b, *names), Only(c, *names))
            torch.cuda.synchronize()
            self.assertLess(float((c.double() - expected).abs().max()), 1e-4)


def reason_to_skip():
    if torch is None:
        return f"PyTorch is not installed for {sys.executable}"
    if not torch.cuda.is_available():
        return "no GPU on this machine"
    if runtime.build()["cuda_built"] == 0:
        return "the library was built without CUDA"
    return None


if __name__ == "__main__":
    skip = reason_to_skip()
    if skip:
        print(f"skipped: {skip}")
        sys.exit(77)
    unittest.main(verbosity=2)
