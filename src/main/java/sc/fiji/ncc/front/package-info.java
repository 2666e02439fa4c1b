/**
 * What the Fiji commands and the command line share: the axes of an image, and the parsers of numbers, sizes and regions ({@link sc.fiji.ncc.front.WholeNumbers}), of borders
 * and of other words ({@link sc.fiji.ncc.front.ChoiceText}). Both front ends call it. It calls only the options of the public API. Start with {@link sc.fiji.ncc.front.WholeNumbers}.
 */
package sc.fiji.ncc.front;
