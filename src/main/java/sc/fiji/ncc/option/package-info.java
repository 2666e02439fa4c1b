/**
 * The choices a caller makes: which lags have a response ({@link sc.fiji.ncc.option.Extent}), the pixels outside the image ({@link
 * sc.fiji.ncc.option.Border}), the value of an undefined response, and how to compute ({@link sc.fiji.ncc.option.ComputeOptions}). Plain values. Every package above the
 * planner may use them. A border policy is added in {@link sc.fiji.ncc.option.Border}. Start with {@link sc.fiji.ncc.option.Extent}.
 */
package sc.fiji.ncc.option;
