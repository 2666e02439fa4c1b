/**
 * The bounds and estimates of rounding errors that several methods share, on the CPU and on GPUs. One principle holds for all: an operation errs by at most one
 * eps of its result, so the error of a response is a sum of such results, divided by the window's deviation. Where it exceeds the tolerance, the response is
 * computed again in double. {@code accuracy.md} has the derivations. The methods of {@code cpu} and {@code cuda} call this package. Start with {@link
 * sc.fiji.ncc.estimate.SumBound}.
 */
package sc.fiji.ncc.estimate;
