package sc.fiji.ncc.register;

import java.util.Collection;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.PairPeaks;

/** Transforms the frames of a sequence and correlates pairs of them, on the CPU or on a card. One thread at a time calls it. */
interface FrameEngine extends AutoCloseable {

	/** A frame that is ready to be correlated. */
	interface Frame {

		/** Whether all pixels that count are equal. */
		boolean isFlat();

		/** The pixels, for another engine. */
		FramePixels pixels();
	}

	record Pair(Frame fixed, Frame moving) {}

	/** What the memory suffices for. */
	FramePairs.Room room();

	/**
	 * Reads frames and transforms them. The frames 2i and 2i + 1 may share a transform.
	 *
	 * @throws sc.fiji.ncc.plan.DeviceException if a card fails
	 */
	List<Frame> transform(List<? extends RandomAccessibleInterval<?>> frames);

	/**
	 * @param groups the pairs, one or two in a group, which may share an inverse transform
	 * @return one for each pair, in order
	 * @throws sc.fiji.ncc.plan.DeviceException if a card fails
	 */
	List<PairPeaks> correlate(List<List<Pair>> groups);

	/**
	 * Reads frames and measures them against one frame. They are not kept.
	 *
	 * @param flat receives for each frame whether it is flat
	 * @return the peaks; null for flat frames
	 * @throws sc.fiji.ncc.plan.DeviceException if a card fails
	 */
	PairPeaks[] against(Frame fixed, List<? extends RandomAccessibleInterval<?>> frames, boolean[] flat);

	/** Releases the memory of all frames but these. */
	void keep(Collection<Frame> frames);

	@Override
	void close();
}
