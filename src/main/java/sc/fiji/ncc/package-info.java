/**
 * The public API: the operations on ImgLib2 images. {@link sc.fiji.ncc.NormalizedCrossCorrelation} correlates, {@link sc.fiji.ncc.TemplateMatching} finds
 * matches, {@link sc.fiji.ncc.TemplateTracking} follows templates through frames, {@link sc.fiji.ncc.Convolution} convolves, {@link sc.fiji.ncc.PoseSearch}
 * finds rotated and scaled templates, {@link sc.fiji.ncc.Registration} and {@link sc.fiji.ncc.DriftCorrection} align images, {@link
 * sc.fiji.ncc.MotionField} measures the motion between frames, {@link sc.fiji.ncc.Stitching} makes a mosaic of tiles. An operation checks its input,
 * describes the problem, lets the planner rank the plans and runs the best one. The commands (command), the command line (cli), ops and spark call this
 * package. Nothing below calls it. Start with {@link sc.fiji.ncc.NormalizedCrossCorrelation}.
 */
package sc.fiji.ncc;
