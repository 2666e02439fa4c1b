package sc.fiji.ncc.plan.window;

/**
 * The two highest peaks of a window, which a device found where errors of responses decide nothing.
 *
 * @param best the index of the lag of the highest response, x fastest
 * @param second that of the highest other peak that does not touch it; -1 without one
 * @param score the response at the highest peak, to 1e-9
 * @param runnerUp that at the second one; NaN without one
 * @param offset of the highest peak from its lag, in pixels: the fit on the pixels, or without one a quadratic through the scores around it
 * @param covariance of the offset in square pixels; null without a fit
 * @param refined whether the fit was tried, if it was asked for. Otherwise the caller fits
 */
public record FoundWindow(int best, int second, double score, double runnerUp, double[] offset, double[][] covariance, boolean refined) {}
