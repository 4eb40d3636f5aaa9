// Stream capture: what is warm may be captured, what is not is refused and the capture survives.
#include <thread>

#include "gpu_fixture.h"

namespace {

class GpuCapture : public GpuTest {
 protected:
  Product product(float beta = 0.0f) const {
    return arena_->product(pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NN, 200, 300, 400), 1.0f, beta);
  }

  // Launches the graph twice over new contents of A and C.
  void expect_replays_are_right(const Graph &graph, const Product &x, cudaStream_t stream) {
    for (uint32_t seed : {21u, 22u}) {
      EXPECT_CUDA(fill_uniform(x.desc.dtype, const_cast<void *>(x.a), x.desc.m * x.desc.lda, seed));
      Arena::reset_c(x);
      graph.launch(stream);
      expect_right(x, "replay with seed " + std::to_string(seed));
    }
  }
};

TEST_F(GpuCapture, AWarmCallOfEachRungIsCapturedAndReplayedOverNewContents) {
  for (pyc_rung rung : kDeviceRungs) {
    const ScopedVariable only("PYC_DISABLE_RUNGS", all_but(rung).c_str());
    const ContextPtr context = make_context(0);
    const Stream stream;
    const Product x = product(2.0f);
    const pyc_status first = run(context.get(), x, stream.get());
    if (first == PYC_STATUS_NO_KERNEL) continue;
    ASSERT_EQ(first, PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    ASSERT_CUDA(cudaStreamSynchronize(stream.get()));
    const Graph graph(stream.get(), [&] { return run(context.get(), x, stream.get()); });
    ASSERT_EQ(graph.status(), PYC_STATUS_SUCCESS) << pyc_rung_name(rung) << ": " << pyc_last_error_detail();
    expect_replays_are_right(graph, x, stream.get());
  }
}

TEST_F(GpuCapture, AWarmUpMakesTheFirstCallFitForCapture) {
  for (pyc_rung rung : kDeviceRungs) {
    const ScopedVariable only("PYC_DISABLE_RUNGS", all_but(rung).c_str());
    const ContextPtr context = make_context(0);
    const Stream stream;
    const Product x = product();
    const pyc_status warm = pyc_gemm_warmup(context.get(), &x.desc, nullptr, stream.get());
    if (warm == PYC_STATUS_NO_KERNEL) continue;
    ASSERT_EQ(warm, PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    const Graph graph(stream.get(), [&] { return run(context.get(), x, stream.get()); });
    ASSERT_EQ(graph.status(), PYC_STATUS_SUCCESS) << pyc_rung_name(rung) << ": " << pyc_last_error_detail();
    expect_replays_are_right(graph, x, stream.get());
  }
}

TEST_F(GpuCapture, AColdCallIsRefusedAndTheCaptureSurvives) {
  const ContextPtr context = make_context(0);
  const Stream stream;
  const Product x = product();
  {
    const Graph graph(stream.get(), [&] { return run(context.get(), x, stream.get()); });
    EXPECT_EQ(graph.status(), PYC_STATUS_CAPTURE_UNSAFE);
  }
  EXPECT_EQ(run(context.get(), x, stream.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_right(x, "after the capture");
}

TEST_F(GpuCapture, AColdPlanIsRefusedAndAWarmOneCaptured) {
  const ContextPtr context = make_context(0);
  const Stream stream;
  const Product x = product();
  pyc_gemm_plan *plan = nullptr;
  ASSERT_EQ(pyc_gemm_plan_create(context.get(), &x.desc, nullptr, &plan), PYC_STATUS_SUCCESS)
      << pyc_last_error_detail();
  size_t bytes = 0;
  ASSERT_EQ(pyc_gemm_plan_workspace(plan, &bytes), PYC_STATUS_SUCCESS);
  const DeviceMemory workspace(bytes + 1);
  const auto run_plan = [&] {
    return pyc_gemm_plan_run(plan, x.alpha, x.a, x.b, x.beta, const_cast<void *>(x.c), workspace.get(), bytes + 1,
                             stream.get());
  };
  {
    const Graph cold(stream.get(), run_plan);
    EXPECT_EQ(cold.status(), PYC_STATUS_CAPTURE_UNSAFE);
  }
  ASSERT_EQ(pyc_gemm_plan_warmup(plan, stream.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  {
    const Graph warm(stream.get(), run_plan);
    ASSERT_EQ(warm.status(), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
    expect_replays_are_right(warm, x, stream.get());
  }
  pyc_gemm_plan_destroy(plan);
}

// Another thread may warm up, which allocates, while this one captures.
TEST_F(GpuCapture, AWarmUpOnAnotherStreamLeavesACaptureAlone) {
  const ContextPtr context = make_context(0);
  const Stream captured, other;
  const Product x = product();
  ASSERT_EQ(run(context.get(), x, captured.get()), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  ASSERT_CUDA(cudaDeviceSynchronize());
  const pyc_gemm_desc cold = pyc_gemm_desc_packed(PYC_DTYPE_BF16, PYC_LAYOUT_TT, 90, 80, 70);
  const Graph graph(captured.get(), [&] {
    EXPECT_EQ(pyc_gemm_warmup(context.get(), &cold, nullptr, other.get()), PYC_STATUS_SUCCESS)
        << pyc_last_error_detail();
    return run(context.get(), x, captured.get());
  });
  ASSERT_EQ(graph.status(), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  expect_replays_are_right(graph, x, captured.get());
}

// cudaStreamPerThread is one handle and another stream in each thread.
TEST_F(GpuCapture, TheStreamOfAThreadIsCapturedWithItsOwnWorkspace) {
  pyc::runtime::Workspaces workspaces;
  void *ours = nullptr, *others = nullptr, *captured = nullptr;
  ASSERT_EQ(workspaces.acquire(cudaStreamPerThread, &ours), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  std::thread([&] { EXPECT_EQ(workspaces.acquire(cudaStreamPerThread, &others), PYC_STATUS_SUCCESS); }).join();
  EXPECT_NE(ours, others);
  const Graph graph(cudaStreamPerThread, [&] { return workspaces.acquire(cudaStreamPerThread, &captured); });
  EXPECT_EQ(graph.status(), PYC_STATUS_SUCCESS) << pyc_last_error_detail();
  EXPECT_EQ(captured, ours);
}

// The second thread may lie where the first one lay.
TEST_F(GpuCapture, TheStreamOfANewThreadDoesNotTakeTheWorkspaceOfAThreadThatEnded) {
  pyc::runtime::Workspaces workspaces;
  void *ended = nullptr, *captured = nullptr;
  std::thread([&] { EXPECT_EQ(workspaces.acquire(cudaStreamPerThread, &ended), PYC_STATUS_SUCCESS); }).join();
  std::thread([&] {
    const Graph graph(cudaStreamPerThread, [&] { return workspaces.acquire(cudaStreamPerThread, &captured); });
    EXPECT_EQ(graph.status(), PYC_STATUS_CAPTURE_UNSAFE);
  }).join();
}

}  // namespace
