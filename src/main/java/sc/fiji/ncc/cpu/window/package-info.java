/**
 * Sums and energies of all windows of a tile, plain, weighted, in whole numbers, and where windows leave the image or have missing pixels; and the interface of
 * numerators. The NCC methods call this package. Start with {@link sc.fiji.ncc.cpu.window.WindowMoments}.
 */
package sc.fiji.ncc.cpu.window;
