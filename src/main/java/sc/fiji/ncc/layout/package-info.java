/**
 * Where responses lie. {@link sc.fiji.ncc.layout.ResponseLayout} converts extent, border and search window into the lags to compute. Also the boxes into which
 * lags are cut, and the templates that share one execution. The operations, runs and sinks call it. Start with {@link sc.fiji.ncc.layout.ResponseLayout}.
 */
package sc.fiji.ncc.layout;
