package sc.fiji.ncc.plan.shift;

import java.util.Collection;
import java.util.List;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Plan;

/**
 * A prepared plan for pairs of whole frames. Several threads can call it at the same time, each with frames of its own; prepared for one
 * thread, it does the work of a call in the thread that calls. {@link #close} releases all memory, that of frames included, and
 * {@link #keep} that of all threads: they are called alone.
 */
public interface ShiftExecution extends Plan.Prepared {

	/**
	 * A frame.
	 *
	 * @param pixels its pixels, which can be read again
	 * @param mask false for pixels that do not count, x fastest; null if all count
	 */
	record Frame(Pixels pixels, boolean[] mask) {}

	/** A frame that is read, transformed and kept on its device. It serves as fixed and as moving frame of any number of pairs. */
	interface Operand {

		/** The frame, for another execution. */
		Frame frame();

		/** Whether all pixels that count are equal. */
		boolean isFlat();
	}

	/**
	 * Two frames to correlate.
	 *
	 * @param fixed the frame relative to which the shift counts
	 * @param moving the frame whose shift is measured, see {@link PairPeaks.Place#shift}
	 */
	record Pair(Operand fixed, Operand moving) {}

	/**
	 * What memory suffices for.
	 *
	 * @param threads the number of threads
	 * @param batches the number of batches of two frames for each thread that are read at once
	 * @param held the number of earlier frames to keep
	 */
	record Capacity(int threads, int batches, int held) {

		/**
		 * @param frames the number of frames that memory can hold
		 * @param most the largest number of threads
		 */
		public static Capacity of(final double frames, final double most) {
			// a batch has two frames for each thread, and may fill half of the capacity
			final int threads = (int) Math.max(1, Math.min(most, frames / 4));
			// threads wait for each other less often in larger batches
			final int batches = (int) Math.max(1, Math.min(4, (frames - 12) / (2 * threads)));
			return new Capacity(threads, batches, (int) Math.min(64, frames - batches * 2 * threads));
		}

		/** The number of frames that memory holds at once. */
		public int frames() {
			return held + batches * batch();
		}

		/** The number of frames that give all threads work. */
		public int batch() {
			return 2 * threads;
		}
	}

	/** What memory suffices for. */
	Capacity capacity();

	/**
	 * Reads frames and transforms them. The frames 2i and 2i + 1 may share a transform.
	 *
	 * @param frames fixed and moving frames, which have the same extents; or one fixed frame, and a moving frame of other extents
	 * @throws DeviceException if the device fails
	 */
	List<Operand> transform(List<Frame> frames);

	/**
	 * Correlates pairs.
	 *
	 * @param groups the pairs, one or two in a group, which may share an inverse transform
	 * @return one for each pair, in order
	 * @throws DeviceException if the device fails
	 */
	List<PairPeaks> correlate(List<List<Pair>> groups);

	/**
	 * Reads frames and measures them against one frame. They are not kept.
	 *
	 * @param flat receives for each frame whether it is flat
	 * @return the peaks; null for flat frames
	 * @throws DeviceException if the device fails
	 */
	PairPeaks[] against(Operand fixed, List<Frame> frames, boolean[] flat);

	/** Releases the memory of all frames but these. */
	void keep(Collection<Operand> frames);

	/** Releases the memory of these frames. */
	void release(Collection<Operand> frames);
}
