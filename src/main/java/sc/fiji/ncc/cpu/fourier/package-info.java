/**
 * Numerators by Fourier transforms, in float and double: of overlapping blocks of a tile, of partitions of the template, or of the whole
 * image. Also window sums under weights and the sums of a template under the image's mask, by transforms of the same blocks. The Fourier
 * algorithms of NCC and convolution call this package. Start with {@link sc.fiji.ncc.cpu.fourier.FourierNumerator}, then {@code BlockPair}
 * and {@code BlockSums}.
 */
package sc.fiji.ncc.cpu.fourier;
