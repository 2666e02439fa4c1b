/**
 * Rotated and scaled templates. {@link sc.fiji.ncc.pose.PoseSet} makes all poses of a template, {@link sc.fiji.ncc.pose.PoseBasis} an orthonormal basis for
 * them, and {@link sc.fiji.ncc.pose.PoseBound} the proved interval of each pose's score. {@link sc.fiji.ncc.pose.PoseBox} computes these bounds for a box of
 * positions. A shape of support is a value of {@link sc.fiji.ncc.pose.PoseSupport}: {@code PoseSet} makes its pixels ({@code SupportPixels}), and {@code
 * PoseOverlap} decides when two supports overlap too much. {@code cli.PoseOptions} and the choices of {@code FindRotatedMatchesCommand} name it. Start with
 * {@code PoseSet}, then {@code PoseBound}.
 */
package sc.fiji.ncc.pose;
