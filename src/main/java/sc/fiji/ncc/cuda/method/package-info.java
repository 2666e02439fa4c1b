/**
 * The GPU methods. Each launches the kernels of one main {@code .cu} file, and shared ones: {@code convert.cu} for pixels, {@code windows.cu} for
 * window sums, {@code recheck.cu} for single windows. A method owns the arrays that its kernels need.
 * <table>
 * <caption>The methods of the algorithms</caption>
 * <tr><th>algorithm</th><th>method</th><th>main file</th></tr>
 * <tr><td>cuda-direct-exact, one small template</td><td>{@link sc.fiji.ncc.cuda.method.OnePassMethod}</td><td>{@code onepass.cu}, {@code shorts.cu}</td></tr>
 * <tr><td>many small templates</td><td>{@link sc.fiji.ncc.cuda.method.BankMethod}</td><td>{@code bank.cu}</td></tr>
 * <tr><td>larger templates</td><td>{@link sc.fiji.ncc.cuda.method.ExactMethod}</td><td>{@code bytes.cu}</td></tr>
 * <tr><td>masks, weights, overlaps, other shapes</td><td>{@link sc.fiji.ncc.cuda.method.GeneralDirectMethod}</td><td>{@code any.cu}</td></tr>
 * <tr><td>cuda-direct</td><td>{@link sc.fiji.ncc.cuda.method.TiledDirectMethod}</td><td>{@code floatpass.cu}, {@code floats.cu}</td></tr>
 * <tr><td>masks, weights, overlaps, very wide templates</td><td>{@link sc.fiji.ncc.cuda.method.GeneralDirectMethod}</td><td>{@code any.cu}</td></tr>
 * <tr><td>cuda-fourier</td><td>{@link sc.fiji.ncc.cuda.method.FourierMethod}</td><td>{@code fourier.cu}, {@code passes.cu}, {@code normalise.cu}</td></tr>
 * <tr><td>several templates of one size</td><td>{@link sc.fiji.ncc.cuda.method.FourierBank}</td><td>{@code fourier.cu}, {@code passes.cu}</td></tr>
 * <tr><td>masks, weights, overlaps, several channels</td><td>{@link sc.fiji.ncc.cuda.method.MaskedFourierMethod}</td><td>{@code masked.cu}</td></tr>
 * <tr><td>cuda-fourier-tiles</td><td>{@link sc.fiji.ncc.cuda.method.FourierTilesMethod}</td><td>{@code tiles.cu}</td></tr>
 * <tr><td>cuda-handbook</td><td>{@link sc.fiji.ncc.cuda.method.HandbookMethod}</td><td>{@code handbook.cu}</td></tr>
 * <tr><td>cuda-poses</td><td>{@link sc.fiji.ncc.cuda.method.MemberSearch}</td><td>{@code passes.cu}, {@code members.cu}</td></tr>
 * <tr><td>cuda-bounded</td><td>{@link sc.fiji.ncc.cuda.method.BoundedSearch}</td><td>{@code poses.cu}</td></tr>
 * <tr><td>cuda-convolve-direct</td><td>{@link sc.fiji.ncc.cuda.method.ConvolveDirectMethod}</td><td>{@code convolve.cu}</td></tr>
 * <tr><td>cuda-convolve-separable</td><td>{@link sc.fiji.ncc.cuda.method.ConvolveSeparableMethod}</td><td>{@code separable.cu}</td></tr>
 * <tr><td>cuda-convolve-fourier</td><td>{@link sc.fiji.ncc.cuda.method.ConvolveTilesMethod}</td><td>{@code tiles.cu}</td></tr>
 * </table>
 * Other packages launch some files: {@code cuda.run} launches {@code peaks.cu}; {@code cuda.shifts} launches {@code smallshifts.cu}, {@code
 * shiftwindows.cu} and {@code shiftresponses.cu}; {@code cuda.frame} launches {@code frames.cu} and {@code shiftfit.cu};
 * {@code cuda.window} launches {@code patches.cu} and {@code windowfit.cu}. Start with {@link
 * sc.fiji.ncc.cuda.method.ExactMethod} for direct sums, with {@link sc.fiji.ncc.cuda.method.FourierTilesMethod} for transforms, with {@link
 * sc.fiji.ncc.cuda.method.ConvolveMethod} for convolutions.
 */
package sc.fiji.ncc.cuda.method;
