/**
 * Converts images of ImageJ to the inputs of an operation: templates from images, selections and regions; an image with its dimensions in the order of the
 * template; the frames of an image for tracking. Only {@code command} uses this package. Start with {@link sc.fiji.ncc.command.input.NamedTemplate}.
 */
package sc.fiji.ncc.command.input;
