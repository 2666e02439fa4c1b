/**
 * The choices a caller makes: which lags have a response ({@link sc.fiji.ncc.option.Extent}), what stands outside the image ({@link
 * sc.fiji.ncc.option.Border}), what an undefined response reads, and how to compute. Plain values without behaviour. Every package above the
 * planner may use them. A border policy is added in {@link sc.fiji.ncc.option.Border}. Start with {@link sc.fiji.ncc.option.Extent}.
 */
package sc.fiji.ncc.option;
