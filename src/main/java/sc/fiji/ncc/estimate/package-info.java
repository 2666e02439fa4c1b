/**
 * The error estimates of responses: for which windows a sum in floating point is accurate enough. An operation errs by at most one eps of its result. So
 * an estimate adds up the magnitudes of results, and divides them by √N·σ·‖T̂‖, σ the window's deviation. A response whose estimate exceeds the tolerance
 * is computed again in double.
 * <ul>
 * <li>Direct sums: {@link sc.fiji.ncc.estimate.SumBound} is a bound, with the order of the {@link sc.fiji.ncc.estimate.Additions}.</li>
 * <li>Transforms: {@link sc.fiji.ncc.estimate.SpectralNoise} and {@link sc.fiji.ncc.estimate.PixelNoise} estimate the forward transform of a block,
 * {@link sc.fiji.ncc.estimate.ForwardNoise} adds up the blocks of a sum. {@link sc.fiji.ncc.estimate.LineEnergies} and {@link
 * sc.fiji.ncc.estimate.ResultNoise} are their form for a transform of the whole image.</li>
 * </ul>
 * {@link sc.fiji.ncc.estimate.NumeratorError} is what the division compares. {@code accuracy.md} has the derivations. The methods of {@code cpu} call this
 * package. Those of {@code cuda} have the same formulas in their {@code .cu} files; they use only {@link sc.fiji.ncc.estimate.CoefficientNorms}. Start with
 * {@link sc.fiji.ncc.estimate.NumeratorError}.
 */
package sc.fiji.ncc.estimate;
