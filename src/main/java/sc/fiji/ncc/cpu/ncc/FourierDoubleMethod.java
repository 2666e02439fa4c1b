package sc.fiji.ncc.cpu.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.plan.Precision;

/** Numerators by transforms in double; the fallback is direct sums in double. */
final class FourierDoubleMethod extends NumeratorMethod<DoubleFourierNumerator> {

	private final TemplateBatch batch;
	private final int[] block;
	/** The weights, if the moments are transformed. Default: null. */
	private final double[] moments;
	private final List<double[]> coefficients;
	private final double[] limits;

	FourierDoubleMethod(final TemplateBatch batch, final FourierShape shape, final boolean transformsMoments) {
		super(shape.maxLags(), shape.unit());
		this.batch = batch;
		block = shape.block();
		moments = transformsMoments ? batch.weights().values() : null;
		coefficients = batch.coefficients();
		limits = DirectNumerator.doubleLimits(batch.planes(), batch.zeroMeans(), batch.weights());
	}

	@Override
	DoubleFourierNumerator primary() {
		return new DoubleFourierNumerator(batch.planes(), coefficients, moments, batch.weights().sum(), block, maxLags, Precision.DOUBLE);
	}

	@Override
	void exchange(final DoubleFourierNumerator primary) {
		primary.exchange(coefficients);
	}

	@Override
	Numerator fallback() {
		return DirectNumerator.inDouble(batch.planes(), coefficients, limits, maxLags[0]);
	}

	@Override
	boolean transformsMoments() {
		return moments != null;
	}
}
