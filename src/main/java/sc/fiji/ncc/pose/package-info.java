/**
 * Rotated and scaled templates. {@link sc.fiji.ncc.pose.PoseSet} makes all poses of a template, {@link sc.fiji.ncc.pose.PoseBasis} an orthonormal basis for
 * them, and {@link sc.fiji.ncc.pose.PoseBound} the proved interval of each pose's score. {@link sc.fiji.ncc.pose.PoseBox} applies it. Start with PoseBound.
 */
package sc.fiji.ncc.pose;
