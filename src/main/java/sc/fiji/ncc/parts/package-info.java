/**
 * The work on one image in parts that several processes compute: boxes of maps ({@link sc.fiji.ncc.parts.MapParts}; one map for each template, or one map of the
 * maximum), and boxes of local maxima with the choice of the matches among them ({@link sc.fiji.ncc.parts.MatchParts}). {@code match}
 * chooses them, for one process, too. The parts of a drift are {@code register.DriftParts}. Start with {@link sc.fiji.ncc.parts.ImageParts}.
 */
package sc.fiji.ncc.parts;
