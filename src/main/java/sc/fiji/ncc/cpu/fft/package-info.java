/**
 * Fourier transforms of tiles that stay in cache, in float and double, and the spectra of a tile's blocks with their error estimates. The
 * Fourier methods call it. Start with {@link sc.fiji.ncc.cpu.fft.Passes}.
 */
package sc.fiji.ncc.cpu.fft;
