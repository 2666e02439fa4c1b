/**
 * Local maxima of correlation maps, of a whole map or box by box, their suppression by overlap, and the fit between pixels; a sample of a
 * map ({@link sc.fiji.ncc.peaks.MapSample}). Sinks, operations and tracking call it. Start with {@link sc.fiji.ncc.peaks.LocalMaxima}.
 */
package sc.fiji.ncc.peaks;
