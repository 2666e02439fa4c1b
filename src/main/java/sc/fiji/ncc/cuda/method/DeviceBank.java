package sc.fiji.ncc.cuda.method;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.numeric.CompensatedSum;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.bank.Bounds;
import sc.fiji.ncc.plan.bank.GroupLevel;
import sc.fiji.ncc.plan.bank.Members;

/** A family of members on the GPU: the spectra of its basis, its members, and what bounds them. */
final class DeviceBank implements AutoCloseable {

	/** The number of members that a thread bounds together; the residual of the places beyond the last one. */
	private static final int TOGETHER = 4;
	private static final float NONE = -4;

	final Members members;
	final Bounds bounds;
	/** Null for none. */
	final GroupLevel level;
	final Size box;
	/** The number of lags of a box, and the extents of its transforms. */
	final int[] lags;
	final TransformExtents extents;
	final BoxSpectra[] spectra;
	/** Σ of each rounded vector. */
	final double[] totals;
	/** {@code struct Run} of each run of the support; Σ of each rounded vector; members side by side. */
	final DeviceArray runs, sums, products, residual, values, gains, centres;
	final int runCount, groups;

	/**
	 * @param members without a basis they have neither bounds nor spectra
	 * @param lags the largest number of lags of a box along each of three dimensions
	 * @param extents those of the transforms of a box
	 */
	DeviceBank(final CudaDevice device, final Members members, final int[] lags, final TransformExtents extents) {
		this.members = members;
		bounds = members.bounds();
		// there is one level of groups
		level = bounds == null || bounds.levels.isEmpty() || bounds.levels.get(0).cos < 0 ? null : bounds.levels.get(0);
		this.lags = lags;
		box = members.box();
		this.extents = extents;
		final int k = bounds == null ? 0 : bounds.size();
		final List<Template> vectors = bounds == null ? List.of() : members.templates();
		spectra = new BoxSpectra[k];
		totals = new double[k];
		for (int v = 0; v < k; v++) {
			final double[] coefficients = coefficients(vectors.get(v), members.support());
			final float[] rounded = ZeroMean.toFloat(coefficients, 1);
			final CompensatedSum sum = new CompensatedSum();
			for (final float t : rounded) sum.add(t);
			totals[v] = sum.value();
			spectra[v] = new BoxSpectra(device, box, coefficients, rounded);
		}
		final int[] ofRows = runs();
		runCount = ofRows.length / 4;
		final List<DeviceArray> made = new ArrayList<>();
		try {
			made.add(runs = DeviceArray.of(device, ofRows));
			final float[] of = new float[Math.max(1, k)];
			for (int v = 0; v < k; v++) of[v] = (float) totals[v];
			made.add(sums = DeviceArray.of(device, of));
			made.add(products = DeviceArray.of(device, bounds == null ? new float[1] : inFours(bounds.products, k)));
			final int size = members.count();
			final float[] outside = new float[(size + TOGETHER - 1) / TOGETHER * TOGETHER];
			Arrays.fill(outside, NONE);
			if (bounds != null) System.arraycopy(bounds.residual, 0, outside, 0, size);
			made.add(residual = DeviceArray.of(device, outside));
			made.add(values = DeviceArray.of(device, members.values()));
			made.add(gains = DeviceArray.of(device, members.gains()));
			groups = level == null ? 0 : level.centres.length;
			made.add(centres = DeviceArray.of(device, groups == 0 ? new float[1] : inFours(level.centres, k)));
		}
		catch (final RuntimeException | Error e) {
			try {
				made.forEach(DeviceArray::close);
			}
			catch (final RuntimeException ofClosing) {
				e.addSuppressed(ofClosing);
			}
			throw e;
		}
	}

	/** A vector of the basis with zero mean on the support and unit norm, and 0 elsewhere. */
	private static double[] coefficients(final Template vector, final int[] support) {
		double mean = 0, energy = 0;
		for (final int i : support) mean += vector.values()[i];
		mean /= support.length;
		final double[] coefficients = new double[vector.values().length];
		for (final int i : support) {
			coefficients[i] = vector.values()[i] - mean;
			energy += coefficients[i] * coefficients[i];
		}
		for (final int i : support) coefficients[i] /= Math.sqrt(energy);
		return coefficients;
	}

	/** The support as runs of pixels of a row: first column, column after the last one, row, plane. */
	private int[] runs() {
		final int w = (int) box.get(0), h = (int) box.get(1);
		final int[] at = members.support();
		int[] all = new int[64];
		int used = 0;
		for (int i = 0; i < at.length;) {
			int end = i + 1;
			while (end < at.length && at[end] == at[end - 1] + 1 && at[end] % w != 0) end++;
			if (used == all.length) all = Arrays.copyOf(all, 2 * used);
			all[used++] = at[i] % w;
			all[used++] = at[end - 1] % w + 1;
			all[used++] = at[i] / w % h;
			all[used++] = at[i] / w / h;
			i = end;
		}
		return Arrays.copyOf(all, used);
	}

	/** Four rows side by side, vector by vector. */
	private static float[] inFours(final float[][] of, final int k) {
		final float[] all = new float[Math.multiplyExact((of.length + TOGETHER - 1) / TOGETHER * TOGETHER, k)];
		for (int m = 0; m < of.length; m++)
			for (int v = 0; v < k; v++) all[(m / TOGETHER * k + v) * TOGETHER + m % TOGETHER] = of[m][v];
		return all;
	}

	@Override
	public void close() {
		for (final BoxSpectra s : spectra) s.close();
		for (final DeviceArray a : new DeviceArray[] { runs, sums, products, residual, values, gains, centres }) a.close();
	}
}
