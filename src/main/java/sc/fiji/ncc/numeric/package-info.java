/**
 * Arithmetic that both backends share: tolerances, zero-mean templates, weights, exact scores, separable kernels, rounding bounds. Backends
 * and the image package call it. Start with {@link sc.fiji.ncc.numeric.Tolerance}.
 */
package sc.fiji.ncc.numeric;
