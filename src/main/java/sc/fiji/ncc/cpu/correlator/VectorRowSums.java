package sc.fiji.ncc.cpu.correlator;

import java.util.Arrays;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

import sc.fiji.ncc.loops.VectorLanes;

/**
 * Sums of products along a row and over several rows with the Vector API, without shifted copies. They add up the products of one run of {@link
 * sc.fiji.ncc.loops.ProductRows} in the same order, and round in the same way. Groups are filled up with coefficients of 0, so that no loop over an
 * incomplete group is needed.
 */
public final class VectorRowSums {

	private static final VectorSpecies<Float> S = VectorLanes.FLOATS;
	private static final int L = VectorLanes.F;
	/** The number of sums at a time: arrays must hold whole blocks. */
	public static final int BLOCK = 4 * L;

	/** The coefficients, in groups of {@link #group}. */
	private final float[] coefficients;
	private final int group;
	/** The place of each coefficient in the kernel. */
	private final int[] places, noPlaces;
	/** The rows that the coefficients are multiplied with. */
	private final float[][] rows;

	/** @param begins the starts of groups of at most six, from {@link sc.fiji.ncc.loops.ProductRows#groups} */
	public VectorRowSums(final float[] c, final int[] begins) {
		int most = 0;
		for (int g = 1; g < begins.length; g++) most = Math.max(most, begins[g] - begins[g - 1]);
		group = most <= 4 ? 4 : 6;
		coefficients = new float[(begins.length - 1) * group];
		places = new int[coefficients.length];
		noPlaces = new int[coefficients.length];
		for (int g = 1, t = 0; g < begins.length; g++)
			for (int i = 0; i < group; i++, t++) {
				// a coefficient of 0 uses a pixel that another coefficient uses, too
				places[t] = Math.min(begins[g - 1] + i, begins[g] - 1);
				if (begins[g - 1] + i < begins[g]) coefficients[t] = c[begins[g - 1] + i];
			}
		rows = new float[coefficients.length][];
	}

	/** {@code to[x] = Σ c[i]·row[x + i]} */
	public void along(final float[] row, final float[] to, final int n) {
		Arrays.fill(rows, row);
		sum(places, to, false, n);
	}

	/**
	 * {@code to[x] = Σ c[j]·window[j][x]}
	 *
	 * @param adds whether to add to the values in {@code to}. Default: overwrite them
	 */
	public void over(final float[][] window, final float[] to, final boolean adds, final int n) {
		for (int t = 0; t < rows.length; t++) rows[t] = window[places[t]];
		sum(noPlaces, to, adds, n);
	}

	/** @param from the index at which each row begins */
	private void sum(final int[] from, final float[] to, final boolean adds, final int n) {
		if (group == 4) four(rows, from, coefficients, to, adds, n);
		else six(rows, from, coefficients, to, adds, n);
	}

	private static void four(final float[][] rows, final int[] from, final float[] c, final float[] to, final boolean adds, final int n) {
		final FloatVector zero = FloatVector.zero(S);
		for (int x = 0; x < n; x += BLOCK) {
			FloatVector p = zero, q = zero, r = zero, s = zero;
			if (adds) {
				p = FloatVector.fromArray(S, to, x);
				q = FloatVector.fromArray(S, to, x + L);
				r = FloatVector.fromArray(S, to, x + 2 * L);
				s = FloatVector.fromArray(S, to, x + 3 * L);
			}
			for (int j = 0; j < c.length; j += 4) {
				FloatVector a, b, d, e;
				final FloatVector k3 = FloatVector.broadcast(S, c[j + 3]);
				final float[] r3 = rows[j + 3];
				final int x3 = x + from[j + 3];
				a = FloatVector.fromArray(S, r3, x3).mul(k3);
				b = FloatVector.fromArray(S, r3, x3 + L).mul(k3);
				d = FloatVector.fromArray(S, r3, x3 + 2 * L).mul(k3);
				e = FloatVector.fromArray(S, r3, x3 + 3 * L).mul(k3);
				final FloatVector k2 = FloatVector.broadcast(S, c[j + 2]);
				final float[] r2 = rows[j + 2];
				final int x2 = x + from[j + 2];
				a = FloatVector.fromArray(S, r2, x2).fma(k2, a);
				b = FloatVector.fromArray(S, r2, x2 + L).fma(k2, b);
				d = FloatVector.fromArray(S, r2, x2 + 2 * L).fma(k2, d);
				e = FloatVector.fromArray(S, r2, x2 + 3 * L).fma(k2, e);
				final FloatVector k1 = FloatVector.broadcast(S, c[j + 1]);
				final float[] r1 = rows[j + 1];
				final int x1 = x + from[j + 1];
				a = FloatVector.fromArray(S, r1, x1).fma(k1, a);
				b = FloatVector.fromArray(S, r1, x1 + L).fma(k1, b);
				d = FloatVector.fromArray(S, r1, x1 + 2 * L).fma(k1, d);
				e = FloatVector.fromArray(S, r1, x1 + 3 * L).fma(k1, e);
				final FloatVector k0 = FloatVector.broadcast(S, c[j]);
				final float[] r0 = rows[j];
				final int x0 = x + from[j];
				a = FloatVector.fromArray(S, r0, x0).fma(k0, a);
				b = FloatVector.fromArray(S, r0, x0 + L).fma(k0, b);
				d = FloatVector.fromArray(S, r0, x0 + 2 * L).fma(k0, d);
				e = FloatVector.fromArray(S, r0, x0 + 3 * L).fma(k0, e);
				p = p.add(a);
				q = q.add(b);
				r = r.add(d);
				s = s.add(e);
			}
			p.intoArray(to, x);
			q.intoArray(to, x + L);
			r.intoArray(to, x + 2 * L);
			s.intoArray(to, x + 3 * L);
		}
	}

	private static void six(final float[][] rows, final int[] from, final float[] c, final float[] to, final boolean adds, final int n) {
		final FloatVector zero = FloatVector.zero(S);
		for (int x = 0; x < n; x += BLOCK) {
			FloatVector p = zero, q = zero, r = zero, s = zero;
			if (adds) {
				p = FloatVector.fromArray(S, to, x);
				q = FloatVector.fromArray(S, to, x + L);
				r = FloatVector.fromArray(S, to, x + 2 * L);
				s = FloatVector.fromArray(S, to, x + 3 * L);
			}
			for (int j = 0; j < c.length; j += 6) {
				FloatVector a, b, d, e;
				final FloatVector k5 = FloatVector.broadcast(S, c[j + 5]);
				final float[] r5 = rows[j + 5];
				final int x5 = x + from[j + 5];
				a = FloatVector.fromArray(S, r5, x5).mul(k5);
				b = FloatVector.fromArray(S, r5, x5 + L).mul(k5);
				d = FloatVector.fromArray(S, r5, x5 + 2 * L).mul(k5);
				e = FloatVector.fromArray(S, r5, x5 + 3 * L).mul(k5);
				final FloatVector k4 = FloatVector.broadcast(S, c[j + 4]);
				final float[] r4 = rows[j + 4];
				final int x4 = x + from[j + 4];
				a = FloatVector.fromArray(S, r4, x4).fma(k4, a);
				b = FloatVector.fromArray(S, r4, x4 + L).fma(k4, b);
				d = FloatVector.fromArray(S, r4, x4 + 2 * L).fma(k4, d);
				e = FloatVector.fromArray(S, r4, x4 + 3 * L).fma(k4, e);
				final FloatVector k3 = FloatVector.broadcast(S, c[j + 3]);
				final float[] r3 = rows[j + 3];
				final int x3 = x + from[j + 3];
				a = FloatVector.fromArray(S, r3, x3).fma(k3, a);
				b = FloatVector.fromArray(S, r3, x3 + L).fma(k3, b);
				d = FloatVector.fromArray(S, r3, x3 + 2 * L).fma(k3, d);
				e = FloatVector.fromArray(S, r3, x3 + 3 * L).fma(k3, e);
				final FloatVector k2 = FloatVector.broadcast(S, c[j + 2]);
				final float[] r2 = rows[j + 2];
				final int x2 = x + from[j + 2];
				a = FloatVector.fromArray(S, r2, x2).fma(k2, a);
				b = FloatVector.fromArray(S, r2, x2 + L).fma(k2, b);
				d = FloatVector.fromArray(S, r2, x2 + 2 * L).fma(k2, d);
				e = FloatVector.fromArray(S, r2, x2 + 3 * L).fma(k2, e);
				final FloatVector k1 = FloatVector.broadcast(S, c[j + 1]);
				final float[] r1 = rows[j + 1];
				final int x1 = x + from[j + 1];
				a = FloatVector.fromArray(S, r1, x1).fma(k1, a);
				b = FloatVector.fromArray(S, r1, x1 + L).fma(k1, b);
				d = FloatVector.fromArray(S, r1, x1 + 2 * L).fma(k1, d);
				e = FloatVector.fromArray(S, r1, x1 + 3 * L).fma(k1, e);
				final FloatVector k0 = FloatVector.broadcast(S, c[j]);
				final float[] r0 = rows[j];
				final int x0 = x + from[j];
				a = FloatVector.fromArray(S, r0, x0).fma(k0, a);
				b = FloatVector.fromArray(S, r0, x0 + L).fma(k0, b);
				d = FloatVector.fromArray(S, r0, x0 + 2 * L).fma(k0, d);
				e = FloatVector.fromArray(S, r0, x0 + 3 * L).fma(k0, e);
				p = p.add(a);
				q = q.add(b);
				r = r.add(d);
				s = s.add(e);
			}
			p.intoArray(to, x);
			q.intoArray(to, x + L);
			r.intoArray(to, x + 2 * L);
			s.intoArray(to, x + 3 * L);
		}
	}
}
