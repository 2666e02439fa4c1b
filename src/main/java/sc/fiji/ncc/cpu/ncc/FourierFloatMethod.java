package sc.fiji.ncc.cpu.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.FourierNumerator;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.Spectrum;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.plan.Precision;

/** Numerators by transforms in float; the fallback is transforms in double. */
final class FourierFloatMethod extends NumeratorMethod<FourierNumerator> {

	private final TemplateBatch batch;
	private final int[] block;
	private final TileFft fft;
	/** The weights, if the moments are transformed. Default: null. */
	private final double[] moments;
	private final Spectrum mask;
	private final List<Spectrum> spectra;

	FourierFloatMethod(final TemplateBatch batch, final FourierShape shape, final boolean transformsMoments) {
		super(shape.maxLags(), shape.unit());
		this.batch = batch;
		block = shape.block();
		fft = TileFft.of(block[0], block[1], block[2]);
		moments = transformsMoments ? batch.weights().values() : null;
		mask = transformsMoments ? new Spectrum(fft, batch.planes(), moments) : null;
		spectra = batch.coefficients().stream().map(c -> new Spectrum(fft, batch.planes(), c)).toList();
	}

	@Override
	FourierNumerator primary() {
		return new FourierNumerator(batch.planes(), spectra, mask, batch.weights().sum(), batch.problem().image().exact(), maxLags);
	}

	@Override
	void exchange(final FourierNumerator primary) {
		primary.exchange(spectra);
	}

	@Override
	Numerator fallback() {
		final int[] plane = { maxLags[0], maxLags[1], 1 };
		return new DoubleFourierNumerator(batch.planes(), batch.coefficients(), moments, batch.weights().sum(), block, plane, Precision.SINGLE);
	}

	@Override
	boolean transformsMoments() {
		return moments != null;
	}

	@Override
	long spectraBytes(final int[] size) {
		return FourierNumerator.spectraBytes(batch.planes(), fft, size);
	}
}
