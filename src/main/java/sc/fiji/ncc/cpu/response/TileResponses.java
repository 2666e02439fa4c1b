package sc.fiji.ncc.cpu.response;

import sc.fiji.ncc.loops.Rows;

/** Writes the responses of a tile to an array of floats or of doubles. */
public abstract class TileResponses {

	private static final class Floats extends TileResponses {

		private final float[] to;

		Floats(final float[] to) {
			this.to = to;
		}

		@Override
		public void put(final int i, final double response) {
			to[i] = (float) response;
		}

		@Override
		public boolean put(final int o, final double[] row, final int n) {
			return Rows.toFloat(row, to, o, n);
		}

		@Override
		public boolean undefined(final int i) {
			return to[i] != to[i];
		}
	}

	private static final class Doubles extends TileResponses {

		private final double[] to;

		Doubles(final double[] to) {
			this.to = to;
		}

		@Override
		public void put(final int i, final double response) {
			to[i] = response;
		}

		@Override
		public boolean put(final int o, final double[] row, final int n) {
			boolean broken = false;
			for (int x = 0; x < n; x++) {
				final double r = row[x];
				// min and max keep NaN
				to[o + x] = Math.max(-1, Math.min(1, r));
				broken |= r != r;
			}
			return broken;
		}

		@Override
		public boolean undefined(final int i) {
			return to[i] != to[i];
		}
	}

	/** @param to an array of floats or of doubles */
	public static TileResponses in(final Object to) {
		return to instanceof float[] ? new Floats((float[]) to) : new Doubles((double[]) to);
	}

	public abstract void put(int i, double response);

	/** Writes a row of coefficients from index {@code o} on. Clamps them to [-1, 1], since rounding may exceed this range. Returns true if one is NaN. */
	public abstract boolean put(int o, double[] row, int n);

	/** Whether the response at this index is NaN. */
	public abstract boolean undefined(int i);
}
