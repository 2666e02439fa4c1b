package sc.fiji.ncc.oracle;

import java.util.Arrays;

/** The correlation coefficient of the overlap of two frames, by its definition: two passes over the pixels that count in both, in double. */
public final class ReferenceShifts {

	/** The smallest number of pixels that any algorithm accepts. */
	private static final int LEAST_PIXELS = 4;

	private final double[] fixed, moving;
	private final int[] fixedSize, movingSize;

	/**
	 * @param fixed the pixels, x fastest; NaN for those that do not count
	 * @param fixedSize the extents along x, y and z
	 */
	public ReferenceShifts(final double[] fixed, final int[] fixedSize, final double[] moving, final int[] movingSize) {
		this.fixed = fixed;
		this.moving = moving;
		this.fixedSize = fixedSize;
		this.movingSize = movingSize;
	}

	/** A coefficient, and the number of pixels that it comes from. */
	public record Overlap(double coefficient, long pixels) {}

	/** The overlap at a lag: pixel x of the fixed frame meets pixel x + lag of the moving frame. */
	public Overlap at(final int[] lag) {
		double n = 0, sumF = 0, sumM = 0, meanF = 0, meanM = 0, ff = 0, mm = 0, fm = 0;
		for (int pass = 0; pass < 2; pass++) {
			for (int z = 0; z < fixedSize[2]; z++)
				for (int y = 0; y < fixedSize[1]; y++)
					for (int x = 0; x < fixedSize[0]; x++) {
						final int u = x + lag[0], v = y + lag[1], w = z + lag[2];
						if (u < 0 || v < 0 || w < 0 || u >= movingSize[0] || v >= movingSize[1] || w >= movingSize[2]) continue;
						final double f = fixed[(z * fixedSize[1] + y) * fixedSize[0] + x], m = moving[(w * movingSize[1] + v) * movingSize[0] + u];
						if (Double.isNaN(f) || Double.isNaN(m)) continue;
						if (pass == 0) {
							n++;
							sumF += f;
							sumM += m;
						}
						else {
							ff += (f - meanF) * (f - meanF);
							mm += (m - meanM) * (m - meanM);
							fm += (f - meanF) * (m - meanM);
						}
					}
			meanF = sumF / n;
			meanM = sumM / n;
		}
		return new Overlap(ff > 0 && mm > 0 ? fm / Math.sqrt(ff) / Math.sqrt(mm) : Double.NaN, (long) n);
	}

	private static long count(final double[] frame) {
		return Arrays.stream(frame).filter(v -> !Double.isNaN(v)).count();
	}

	/** The number of pixels that count in the frame with fewer of them. */
	public long smaller() {
		return Math.min(count(fixed), count(moving));
	}

	/** The largest coefficient of all lags from min to max at which the smallest share of the largest possible overlap is reached. */
	public double largest(final int[] min, final int[] max, final double minOverlap) {
		double possible = 1, most = Double.NEGATIVE_INFINITY;
		for (int d = 0; d < 3; d++) possible *= Math.min(fixedSize[d], movingSize[d]);
		possible *= smaller() / Math.min((double) fixed.length, moving.length);
		for (int z = min[2]; z <= max[2]; z++)
			for (int y = min[1]; y <= max[1]; y++)
				for (int x = min[0]; x <= max[0]; x++) {
					final Overlap o = at(new int[] { x, y, z });
					if (o.pixels >= Math.max(LEAST_PIXELS, minOverlap * possible - 0.5)) most = Math.max(most, o.coefficient);
				}
		return most;
	}
}
