/**
 * The backend for NVIDIA GPUs: one class per algorithm, listed in {@link sc.fiji.ncc.cuda.CudaBackend}. A new GPU algorithm is one class here,
 * one line in that list, one method in {@code cuda.method} and one {@code .cu} file in the resources {@code sc/fiji/ncc/cuda}; {@code headers/} has what kernels share. A new file is
 * also a name in {@code cuda.driver.GpuKernelSource}, its PTX in {@code cuda/ptx} ({@code mvn -Pptx test-compile exec:java}), and a run on a GPU that renews {@code record.txt},
 * see {@code KernelRecordTest}. Only the public API creates the
 * backend. Start with {@link sc.fiji.ncc.cuda.CudaBackend}.
 */
package sc.fiji.ncc.cuda;
