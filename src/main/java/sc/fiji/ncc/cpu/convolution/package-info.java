/**
 * The CPU's algorithms for convolution, one class each: direct, separable, Fourier. The backend lists them. Start with {@link
 * sc.fiji.ncc.cpu.convolution.CpuConvolveDirect}.
 */
package sc.fiji.ncc.cpu.convolution;
