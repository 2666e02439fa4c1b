package sc.fiji.ncc.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/** Times several tasks in turns, so that other programs on the machine slow all of them equally. */
final class Turns {

	private Turns() {}

	/**
	 * @param warmUp seconds during which all run, at least once, before the first that is timed
	 * @param repeats the number of times that each is timed
	 * @return milliseconds of each, in ascending order
	 */
	static double[][] milliseconds(final List<? extends Runnable> things, final double warmUp, final int repeats) {
		return milliseconds(things, warmUp, repeats, System::nanoTime);
	}

	/** @param clock in nanoseconds, for example the processor time of this program, which other programs hardly change */
	static double[][] milliseconds(final List<? extends Runnable> things, final double warmUp, final int repeats, final LongSupplier clock) {
		final long end = System.nanoTime() + (long) (1e9 * warmUp);
		do things.forEach(Runnable::run);
		while (System.nanoTime() < end);
		final double[][] ms = new double[things.size()][repeats];
		for (int r = 0; r < repeats; r++)
			for (int i = 0; i < ms.length; i++) ms[i][r] = milliseconds(things.get(i), clock);
		for (final double[] times : ms) Arrays.sort(times);
		return ms;
	}

	private static double milliseconds(final Runnable thing, final LongSupplier clock) {
		final long start = clock.getAsLong();
		thing.run();
		return 1e-6 * (clock.getAsLong() - start);
	}

	static double median(final double[] sorted) {
		final int n = sorted.length;
		return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	}
}
