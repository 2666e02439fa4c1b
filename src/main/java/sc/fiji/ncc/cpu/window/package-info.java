/**
 * For each window of a tile: its sum and its energy. There are variants with weights, in whole numbers, and for windows that leave the image or have missing
 * pixels. The interface {@link sc.fiji.ncc.cpu.window.Numerator} is here, too. The NCC methods call this package. Start with {@link
 * sc.fiji.ncc.cpu.window.WindowMoments}.
 */
package sc.fiji.ncc.cpu.window;
