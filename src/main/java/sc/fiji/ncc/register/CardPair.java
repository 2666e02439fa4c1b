package sc.fiji.ncc.register;

import java.util.List;
import java.util.Optional;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.cuda.frame.CardCorrelator;
import sc.fiji.ncc.cuda.frame.CardFrame;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.DeviceException;

/** Two images on a card. */
public final class CardPair {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	private CardPair() {}

	/**
	 * Finds the shift between two planes of 8- or 16-bit integers.
	 *
	 * @param maxShift the largest shift along x, y and z
	 * @param minOverlap the smallest overlap, as a share of the largest possible overlap
	 * @return empty if the card fails; the reason is logged
	 * @throws IllegalArgumentException if an image is flat
	 */
	public static Optional<PairPeaks> register(final RandomAccessibleInterval<?> fixed, final RandomAccessibleInterval<?> moving, final long[] maxShift, final double minOverlap,
		final int peaks, final boolean subpixel)
	{
		final int[] size = FrameReader.extents(fixed), other = FrameReader.extents(moving);
		try (CardCorrelator card = new CardCorrelator(CardFrames.range(size, other, maxShift, minOverlap), peaks, subpixel, 1);
			CardFrame a = sent(card, fixed, size, true); CardFrame b = sent(card, moving, other, false))
		{
			if (a.isFlat()) throw FrameReader.flat("fixed image", fixed, false);
			if (b.isFlat()) throw FrameReader.flat("moving image", moving, false);
			return Optional.of(CardFrames.peaks(card.correlate(List.of(a, b)).get(0)));
		}
		catch (final DeviceException e) {
			LOG.log(System.Logger.Level.WARNING, "the registration on a GPU failed: " + e.getMessage() + "; the CPU continues");
			return Optional.empty();
		}
	}

	private static CardFrame sent(final CardCorrelator card, final RandomAccessibleInterval<?> image, final int[] size, final boolean isFixed) {
		final ImagePixels pixels = ImagePixels.of(image);
		return card.transform(pixels.type(), List.of(FrameReader.raw(pixels, size[0], size[1])), isFixed).get(0);
	}
}
