/**
 * The sums of which a response is the quotient: the interfaces of numerators ({@link sc.fiji.ncc.cpu.window.Numerator}) and of window sums ({@link
 * sc.fiji.ncc.cpu.window.WindowMoments}), each with its error estimate, and the window sums: running, under weights, in whole numbers, and the sums of the part
 * of a template that counts where windows leave the image or have missing pixels. Numerators are in {@code cpu.ncc} and {@code cpu.fourier}. Start with {@code
 * Numerator}.
 */
package sc.fiji.ncc.cpu.window;
