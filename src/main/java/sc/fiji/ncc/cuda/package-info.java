/**
 * The backend for NVIDIA GPUs: one class per algorithm, listed in {@link sc.fiji.ncc.cuda.CudaBackend}, and {@link sc.fiji.ncc.cuda.CudaBounded} for
 * poses. A device is a GPU or a group of equal GPUs. A new GPU algorithm needs: one class here; one line in {@code CudaBackend}; its id in the choices of
 * the parameter {@code algorithm} of the commands, in the same order ({@code AlgorithmChoicesTest} compares them); one class in {@code cuda.method}, or a
 * package beside it for a method of several classes, as {@code cuda.shifts}; and one {@code .cu} file in the resources {@code sc/fiji/ncc/cuda}, whose
 * {@code headers/} has what kernels share. A new {@code .cu} file also needs: its name in {@code cuda.driver.GpuKernelSource.NAMES}, and in {@code PAIRED}
 * or {@code TARGETS} if it has variants; its PTX in {@code cuda/ptx} ({@code mvn -Pptx test-compile exec:java}); and a run on a GPU that renews {@code
 * record.txt}, see {@code KernelRecordTest}. {@code CudaContractTest} tests every algorithm on a GPU. Only the public API creates the backend. Start with
 * {@link sc.fiji.ncc.cuda.CudaBackend}.
 */
package sc.fiji.ncc.cuda;
