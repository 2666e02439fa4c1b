/**
 * Whole frames against each other on a GPU: frames are sent once, their spectra and sums stay on the GPU, and only the peaks and the fitted shifts of pairs
 * come back. {@code CudaFrames} and {@code CudaResample} call it. Start with {@link sc.fiji.ncc.cuda.frame.GpuFrames}.
 */
package sc.fiji.ncc.cuda.frame;
