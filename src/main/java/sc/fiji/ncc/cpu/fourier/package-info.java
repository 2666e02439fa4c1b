/**
 * Numerators by transforms of blocks of a tile, in float and double, whole or in partitions. The Fourier algorithms of NCC and convolution
 * call this package. Start with {@link sc.fiji.ncc.cpu.fourier.FourierNumerator}.
 */
package sc.fiji.ncc.cpu.fourier;
