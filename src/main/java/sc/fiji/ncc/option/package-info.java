/**
 * The choices a caller makes: which lags have a response ({@link sc.fiji.ncc.option.Extent}), the pixels outside the image ({@link
 * sc.fiji.ncc.option.Border}), the value of an undefined response, and how to compute ({@link sc.fiji.ncc.option.ComputeOptions}). Plain values. Every package above the
 * planner may use them. A border policy is a value of {@link sc.fiji.ncc.option.Border.Kind}. {@code image.ImagePixels} and {@code image.ArrayBlocks} both
 * return its pixels, and the choices of the parameter {@code border} of the commands name it. What surrounds an image that is moved is another choice, {@link
 * sc.fiji.ncc.option.Outside}. Backends do not use this package. Start with {@link sc.fiji.ncc.option.Extent}.
 */
package sc.fiji.ncc.option;
