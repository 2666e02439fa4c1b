package sc.fiji.ncc.cpu.ncc;

import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.DoubleSpectra;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.cpu.fourier.TemplateParts;
import sc.fiji.ncc.cpu.fourier.WholeNumerator;
import sc.fiji.ncc.cpu.fourier.WholeShape;
import sc.fiji.ncc.cpu.fourier.WholeTemplates;
import sc.fiji.ncc.cpu.tile.FrameData;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;

/** Numerators by one transform of the whole image in float; the fallback is transforms of blocks in double. */
final class FourierWholeMethod extends CorrelationMethod {

	/** The minimum number of rows of a tile, and that number for each row of the template: window sums begin anew in each tile. */
	private static final int ROWS = 16, SHARE = 4;
	/** The maximum number of rows of a tile. */
	private static final int MAX_ROWS = 2048;

	private final WholeTemplates templates;
	/** For the fallback. */
	private final DoubleSpectra inDouble;

	/** @param lags the number of lags along x and y */
	FourierWholeMethod(final TemplateBatch batch, final WholeShape shape, final Device device, final int[] lags) {
		super(batch, tile(batch, lags, true), tile(batch, lags, false));
		templates = new WholeTemplates(shape, batch.planes(), batch.coefficients(), device.parallelism());
		inDouble = new DoubleSpectra(new TemplateParts(batch.planes(), FourierShape.of(batch.planes().size, batch.problem().lags().count(), device)), batch.coefficients(), null);
	}

	private static int[] tile(final TemplateBatch batch, final int[] lags, final boolean greatest) {
		final int unit = Math.min(lags[1], Math.max(ROWS, batch.planes().height / SHARE));
		return new int[] { lags[0], greatest ? Math.max(1, MAX_ROWS / unit) * unit : unit, 1 };
	}

	@Override
	public FrameData frame(final Pixels in, final long[] origin, final int[] size) {
		return templates.frame(in, origin, size);
	}

	@Override
	public boolean oneByOne() {
		return true;
	}

	/** The same for all templates: their numerators belong to the frame. */
	@Override
	Numerator numerator(final Numerator previous) {
		return previous == null ? new WholeNumerator(batch.problem().image().exact(), maxLags[0]) : previous;
	}

	@Override
	Numerator fallback() {
		return new DoubleFourierNumerator(inDouble, batch.weights().sum(), maxLags, Precision.SINGLE);
	}
}
