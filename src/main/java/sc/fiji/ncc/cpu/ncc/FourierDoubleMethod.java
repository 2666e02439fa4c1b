package sc.fiji.ncc.cpu.ncc;

import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.DoubleSpectra;
import sc.fiji.ncc.cpu.fourier.FourierMaskSums;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.TemplateParts;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.plan.Precision;

/** Numerators by transforms in double; the fallback is direct sums in double. */
final class FourierDoubleMethod extends CorrelationMethod {

	private final boolean transformsMoments;
	private final TemplateParts parts;
	private final DoubleSpectra spectra;

	FourierDoubleMethod(final TemplateBatch batch, final FourierShape shape, final boolean transformsMoments) {
		super(batch, shape.maxLags(), shape.unit());
		this.transformsMoments = transformsMoments;
		parts = new TemplateParts(batch.planes(), shape);
		spectra = new DoubleSpectra(parts, batch.coefficients(), transformsMoments ? batch.weights().values() : null);
	}

	@Override
	Numerator numerator(final Numerator previous) {
		return previous == null ? new DoubleFourierNumerator(spectra, batch.weights().sum(), maxLags, Precision.DOUBLE) : ((DoubleFourierNumerator) previous).with(spectra);
	}

	@Override
	Numerator fallback() {
		return new DirectNumerator.InDouble(batch.planes(), DirectNumerator.DoubleTemplate.of(batch), maxLags[0]);
	}

	@Override
	MaskSums maskSums(final int channel, final MaskSums previous) {
		return previous == null ? new FourierMaskSums(parts, batch.weights().values(), batch.given(), batch.deviations(), maxLags) : previous.with(batch.deviations());
	}

	@Override
	boolean transformsMoments() {
		return transformsMoments;
	}
}
