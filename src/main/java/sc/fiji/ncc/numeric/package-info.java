/**
 * Arithmetic that both backends share: tolerances, zero-mean templates, weights, exact scores, separable kernels, rounding bounds.
 * The packages that compute call it. Start with {@link sc.fiji.ncc.numeric.Tolerance}.
 */
package sc.fiji.ncc.numeric;
