package sc.fiji.ncc.cpu.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.DoubleSpectra;
import sc.fiji.ncc.cpu.fourier.FourierMaskSums;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.TemplateParts;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.plan.Precision;

/** Numerators by transforms in double; the fallback is direct sums in double. */
final class FourierDoubleMethod extends NumeratorMethod<DoubleFourierNumerator> {

	private final TemplateBatch batch;
	private final boolean transformsMoments;
	private final List<double[]> coefficients;
	private final TemplateParts parts;
	private final DoubleSpectra spectra;
	private final double[] limits;

	FourierDoubleMethod(final TemplateBatch batch, final FourierShape shape, final boolean transformsMoments) {
		super(shape.maxLags(), shape.unit());
		this.batch = batch;
		this.transformsMoments = transformsMoments;
		coefficients = batch.coefficients();
		parts = new TemplateParts(batch.planes(), shape);
		spectra = new DoubleSpectra(parts, coefficients, transformsMoments ? batch.weights().values() : null);
		limits = DirectNumerator.doubleLimits(batch.planes(), batch.zeroMeans(), batch.weights());
	}

	@Override
	DoubleFourierNumerator primary() {
		return new DoubleFourierNumerator(spectra, batch.weights().sum(), maxLags, Precision.DOUBLE);
	}

	@Override
	void exchange(final DoubleFourierNumerator primary) {
		primary.exchange(spectra);
	}

	@Override
	Numerator fallback() {
		return DirectNumerator.inDouble(batch.planes(), coefficients, limits, maxLags[0]);
	}

	@Override
	MaskSums maskSums() {
		return new FourierMaskSums(parts, batch.weights().values(), batch.given(), batch.deviations(), maxLags);
	}

	@Override
	void exchange(final MaskSums sums) {
		sums.exchange(batch.deviations());
	}

	@Override
	boolean transformsMoments() {
		return transformsMoments;
	}
}
