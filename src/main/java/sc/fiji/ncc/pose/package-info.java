/**
 * Rotated and scaled templates. {@link sc.fiji.ncc.pose.PoseSet} makes all poses of a template, {@link sc.fiji.ncc.pose.PosePlanner}
 * describes their search as a {@link sc.fiji.ncc.plan.BoundedBank}, {@link sc.fiji.ncc.pose.PoseFrame} receives the scores of a frame and
 * finds the matches, and {@link sc.fiji.ncc.pose.PoseRun} is the run of a search. The bounds are in {@link sc.fiji.ncc.plan.bank}, the
 * searches on the host in {@link sc.fiji.ncc.bounded}. A shape of support is a value of {@link sc.fiji.ncc.pose.PoseSupport}:
 * {@code PoseSet} makes its pixels ({@code SupportPixels}), and {@code PoseOverlap} decides when two supports overlap too much.
 * {@code cli.PoseOptions} and the choices of {@code FindRotatedMatchesCommand} name it. Start with {@code PoseSet}, then {@code PoseRun}.
 */
package sc.fiji.ncc.pose;
