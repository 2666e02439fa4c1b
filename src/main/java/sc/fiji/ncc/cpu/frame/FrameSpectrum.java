package sc.fiji.ncc.cpu.frame;

/**
 * The spectrum of a real image, padded with zeros. It holds the frequencies 0 to width/2 along x; the others are the complex conjugates of these. Immutable.
 *
 * @param re the real parts: for each place along z, and each frequency along x, a row of places along y; places are in the order of {@link sc.fiji.ncc.cpu.fft.TileFft}
 * @param im the imaginary parts
 */
record FrameSpectrum(float[][] re, float[][] im) {}
