package sc.fiji.ncc.cpu.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.DoubleSpectra;
import sc.fiji.ncc.cpu.fourier.FourierNumerator;
import sc.fiji.ncc.cpu.fourier.FloatMaskSums;
import sc.fiji.ncc.cpu.fourier.FourierMaskSums;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.MaskSpectra;
import sc.fiji.ncc.cpu.fourier.PartSpectra;
import sc.fiji.ncc.cpu.fourier.TemplateParts;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.plan.Precision;

/** Numerators by transforms in float; the fallback is transforms in double. */
final class FourierFloatMethod extends CorrelationMethod {

	private final TemplateParts parts;
	private final TileFft fft;
	/** The weights, if the moments are transformed. Default: null. */
	private final PartSpectra mask;
	private final List<PartSpectra> spectra;
	/** For images with missing pixels. Default: null. */
	private final MaskSpectra ofMasks;
	/** For the fallback. */
	private final DoubleSpectra inDouble;

	FourierFloatMethod(final TemplateBatch batch, final FourierShape shape, final boolean transformsMoments) {
		super(batch, shape.maxLags(), shape.unit());
		parts = new TemplateParts(batch.planes(), shape);
		fft = parts.fft();
		final double[] moments = transformsMoments ? batch.weights().values() : null;
		mask = transformsMoments ? new PartSpectra(fft, parts, moments) : null;
		ofMasks = batch.problem().lags().masked()
			? new MaskSpectra(fft, parts, batch.coefficients(), batch.deviations(), batch.weights().values(), batch.given() == null) : null;
		spectra = ofMasks != null ? ofMasks.values() : batch.coefficients().stream().map(c -> new PartSpectra(fft, parts, c)).toList();
		inDouble = new DoubleSpectra(parts, batch.coefficients(), moments);
	}

	@Override
	Numerator numerator(final Numerator previous) {
		return previous == null ? new FourierNumerator(spectra, mask, batch.weights().sum(), batch.problem().image().exact(), maxLags)
			: ((FourierNumerator) previous).with(spectra);
	}

	@Override
	Numerator fallback() {
		final int[] plane = { maxLags[0], maxLags[1], 1 };
		return new DoubleFourierNumerator(inDouble, batch.weights().sum(), plane, Precision.SINGLE);
	}

	@Override
	MaskSums maskSums(final int channel, final MaskSums previous) {
		return previous == null ? new FloatMaskSums(ofMasks, batch.weights().values(), batch.given(), batch.deviations(), maxLags)
			: ((FloatMaskSums) previous).with(batch.deviations(), ofMasks);
	}

	@Override
	MaskSums fallbackMaskSums(final int channel) {
		return new FourierMaskSums(parts, batch.weights().values(), batch.given(), batch.deviations(), maxLags);
	}

	@Override
	boolean transformsMoments() {
		return mask != null;
	}

	@Override
	long spectraBytes(final int[] size) {
		return FourierNumerator.spectraBytes(parts, fft, size);
	}
}
