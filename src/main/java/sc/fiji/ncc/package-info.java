/**
 * The public API: the operations on ImgLib2 images. {@link sc.fiji.ncc.NormalizedCrossCorrelation} correlates, {@link
 * sc.fiji.ncc.TemplateMatching} finds matches, {@link sc.fiji.ncc.TemplateTracking} follows templates through frames, {@link
 * sc.fiji.ncc.Convolution} convolves. An operation validates its input, lays out the responses, asks the planner for a plan and runs it. Front
 * ends (command, ij1, cli) call this package. Nothing below calls it. Start with {@link sc.fiji.ncc.NormalizedCrossCorrelation}.
 */
package sc.fiji.ncc;
