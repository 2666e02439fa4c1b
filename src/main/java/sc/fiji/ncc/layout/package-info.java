/**
 * Where responses lie: from extent, border and search window to lags ({@link sc.fiji.ncc.layout.ResponseLayout}), the boxes into which lags
 * are cut, and the templates that share one execution. The operations, runs and sinks call it. Start with {@link
 * sc.fiji.ncc.layout.ResponseLayout}.
 */
package sc.fiji.ncc.layout;
