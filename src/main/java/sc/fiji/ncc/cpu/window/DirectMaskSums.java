package sc.fiji.ncc.cpu.window;

import java.util.List;

import sc.fiji.ncc.cpu.correlator.DoubleRowCorrelator;
import sc.fiji.ncc.cpu.correlator.RunCorrelator;
import sc.fiji.ncc.cpu.correlator.SumOrder;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;

/** {@link MaskSums} by direct sums in double: exact for whole numbers below 2^53. */
public final class DirectMaskSums extends MaskSums {

	private final int maxLags;
	private final double[] row;
	/** Created when they are first needed. */
	private DoubleRowCorrelator ofWeights, ofNumbers;
	private DoubleRowCorrelator[][] ofTemplates;
	private final double[][] values, squares;

	/** Arguments as in {@link MaskSums}. */
	public DirectMaskSums(final TemplatePlanes planes, final double[] weights, final double[] given, final List<double[]> deviations, final int[] maxLags) {
		super(planes, weights, given, deviations, maxLags);
		this.maxLags = maxLags[0];
		row = new double[maxLags[0] + planes.width - 1];
		ofTemplates = new DoubleRowCorrelator[deviations.size()][];
		values = rows();
		squares = rows();
	}

	@Override
	public MaskSums with(final List<double[]> others) {
		ofTemplates = new DoubleRowCorrelator[others.size()][];
		return super.with(others);
	}

	/** Each addition rounds by at most the sum of all magnitudes, and so do the product and its factor. */
	@Override
	protected double roundings() {
		return 3 + Math.max(SumOrder.inDouble(planes.width, planes.height, planes.count).roundings(),
			weights == null ? 0 : RunCorrelator.roundings(planes.width, planes.height, planes.cut(weights)));
	}

	@Override
	protected void weights(final double[][] to, final double[][] toNumbers) {
		if (ofWeights == null) ofWeights = runs(weights);
		correlate(ofWeights, to);
		if (toNumbers == null) return;
		if (ofNumbers == null) ofNumbers = runs(positive(given));
		correlate(ofNumbers, toNumbers);
	}

	private DoubleRowCorrelator runs(final double[] coefficients) {
		return RunCorrelator.fastest(planes.width, planes.height, planes.cut(coefficients), maxLags);
	}

	@Override
	protected void values(final int template) {
		if (ofTemplates[template] == null)
			ofTemplates[template] = new DoubleRowCorrelator[] { correlator(weightedValues(template)), correlator(weightedSquares(template)) };
		correlate(ofTemplates[template][0], values);
		correlate(ofTemplates[template][1], squares);
	}

	@Override
	protected void useRow(final int z, final int y) {
		value = values[z * lagsY + y];
		square = squares[z * lagsY + y];
	}

	private DoubleRowCorrelator correlator(final double[] coefficients) {
		return DoubleRowCorrelator.of(planes.width, planes.height, planes.cut(coefficients), maxLags);
	}

	private void correlate(final DoubleRowCorrelator with, final double[][] to) {
		for (int z = 0; z < lagsZ; z++) {
			with.begin(lagsX);
			for (int r = 0; r < lagsY + planes.height - 1; r++) {
				tile.poll();
				final int y = r - planes.height + 1, first = Math.max(0, y), last = Math.min(r, lagsY - 1);
				for (int p = 0; p < planes.count; p++) {
					readers[z + p].presentRow(r, row);
					with.add(p, row, r, first, last);
				}
				if (y >= 0) with.finish(y, to[z * lagsY + y]);
			}
		}
	}
}
