/**
 * What the Fiji commands and the command line share: the axes of an image, and the parsers of numbers, sizes, regions, borders and other options. Both
 * front ends call it. It calls only the options of the public API. Start with {@link sc.fiji.ncc.front.WholeNumbers}.
 */
package sc.fiji.ncc.front;
