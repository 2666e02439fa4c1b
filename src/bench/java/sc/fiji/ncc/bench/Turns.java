package sc.fiji.ncc.bench;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

/** Times several tasks in turns, so that other programs on the machine slow all of them equally. */
public final class Turns {

	private Turns() {}

	/**
	 * @param warmUp seconds during which all run, at least once, before the first that is timed
	 * @param repeats the number of times that each is timed
	 * @return milliseconds of each, in ascending order
	 */
	public static double[][] milliseconds(final List<? extends Runnable> things, final double warmUp, final int repeats) {
		return both(things, warmUp, repeats)[0];
	}

	/**
	 * As {@link #milliseconds}, and also the time of the processors. Other programs on the machine hardly change that.
	 *
	 * @return the milliseconds of each, and the milliseconds of all processors together
	 */
	public static double[][][] both(final List<? extends Runnable> things, final double warmUp, final int repeats) {
		final long end = System.nanoTime() + (long) (1e9 * warmUp);
		do things.forEach(Runnable::run);
		while (System.nanoTime() < end);
		final double[][][] ms = new double[2][things.size()][repeats];
		for (int r = 0; r < repeats; r++)
			for (int i = 0; i < things.size(); i++) {
				final long start = System.nanoTime(), startOfProcessors = processors();
				things.get(i).run();
				ms[0][i][r] = 1e-6 * (System.nanoTime() - start);
				ms[1][i][r] = 1e-6 * (processors() - startOfProcessors);
			}
		for (final double[][] kind : ms) for (final double[] times : kind) Arrays.sort(times);
		return ms;
	}

	private static long processors() {
		return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

	public static double median(final double[] sorted) {
		final int n = sorted.length;
		return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	}
}
