/**
 * The backend for NVIDIA GPUs: one class per algorithm, listed in {@link sc.fiji.ncc.cuda.CudaBackend}. A new GPU algorithm is one class here,
 * one line in that list, one method in {@code cuda.method} and one {@code .cu} file among the resources. Only the public API creates the
 * backend. Start with {@link sc.fiji.ncc.cuda.CudaBackend}.
 */
package sc.fiji.ncc.cuda;
