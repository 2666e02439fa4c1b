/**
 * The bridge from ImgLib2 images to typed pixel buffers: {@link sc.fiji.ncc.image.ImagePixels} reads boxes of pixels on demand,
 * {@link sc.fiji.ncc.image.TemplateReader} reads and checks templates, masks and weights. Also what is computed from single windows: exact
 * scores ({@link sc.fiji.ncc.numeric.WindowScore}) and positions between the pixels ({@link sc.fiji.ncc.image.PositionFit}). The
 * operations, runs and sinks call it. It calls the planning interfaces and the numeric package. Start with
 * {@link sc.fiji.ncc.image.ImagePixels}.
 */
package sc.fiji.ncc.image;
