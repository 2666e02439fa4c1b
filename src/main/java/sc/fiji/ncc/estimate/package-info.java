/**
 * The error estimates of responses: for which windows a sum in floating point is accurate enough. An operation errs by at most one eps of its result. So
 * an estimate adds up the magnitudes of results, and divides them by √N·σ·‖T̂‖, σ the window's deviation. For direct sums it is a
 * bound; for transforms it is the
 * expected error (root mean square) times a margin. A response whose estimate exceeds the tolerance
 * is computed again in double.
 * <ul>
 * <li>Direct sums: {@link sc.fiji.ncc.estimate.SumBound} is a bound, with the order of the {@link sc.fiji.ncc.estimate.Additions}.</li>
 * <li>Transforms: {@link sc.fiji.ncc.estimate.SpectralNoise} and {@link sc.fiji.ncc.estimate.PixelNoise} estimate the forward transform of a block,
 * {@link sc.fiji.ncc.estimate.ForwardNoise} adds up the blocks of a sum. {@link sc.fiji.ncc.estimate.LineEnergies} and {@link
 * sc.fiji.ncc.estimate.ResultNoise} are their form for a transform of the whole image.</li>
 * </ul>
 * {@link sc.fiji.ncc.estimate.NumeratorError} is what the division compares. {@code accuracy.md} has the derivations. The methods of {@code cpu} call this
 * package. Those of {@code cuda} use {@link sc.fiji.ncc.estimate.CoefficientNorms}: the bounds of direct sums, with the order of
 * additions of their GPU kernels, are
 * in {@code cuda.method} and {@code cuda.shifts}; the estimate of transforms is in {@code fourier.cuh}, and its errors are measured at probes. Start with
 * {@link sc.fiji.ncc.estimate.NumeratorError}.
 */
package sc.fiji.ncc.estimate;
