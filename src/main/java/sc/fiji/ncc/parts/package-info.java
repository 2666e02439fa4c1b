/**
 * The work on one image in parts that several processes compute: boxes of maps ({@link sc.fiji.ncc.parts.MapParts}), one for each template or their maximum, and boxes of local maxima with the choice of the
 * matches among them ({@link sc.fiji.ncc.parts.MatchParts}). {@link sc.fiji.ncc.parts.MatchSelection} chooses matches for one process, too. Start with {@link
 * sc.fiji.ncc.parts.ImageParts}.
 */
package sc.fiji.ncc.parts;
