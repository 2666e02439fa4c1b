/**
 * Choice of matches among the local maxima of one frame: suppression, minimum scores, statistics, quality, refinement. A statistic of a match is a component of
 * {@code result.Match}, computed here, and a column in {@code front.MatchColumns}. The entry points and {@code parts} call
 * this package. Start with {@link sc.fiji.ncc.match.FrameMaxima}.
 */
package sc.fiji.ncc.match;
