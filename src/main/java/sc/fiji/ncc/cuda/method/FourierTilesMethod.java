package sc.fiji.ncc.cuda.method;

import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/** Numerators by transforms of tiles in shared memory, without a library: see {@code tiles.cu}. */
public final class FourierTilesMethod extends SpectralMethod {

	private final TileSpectra spectra;

	public FourierTilesMethod(final CudaDevice device, final Template template, final Sliding problem) {
		super(device, template, problem, MARGIN_OF_TILES);
		spectra = new TileSpectra(device, template.size(), coefficients, roundedCoefficients);
	}

	@Override
	public double bytesPerLag() {
		return spectra.bytesPerLag() + 60;
	}

	@Override
	void respond(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final Outcome out, final boolean inDouble) {
		final ExtendedPrecision of = inDouble ? ExtendedPrecision.DOUBLE : wide;
		final CUdeviceptr sums = windows.enqueue(context, box, pixels, n, Tolerance.of(precision), of);
		spectra.enqueue(context, box, pixels, pixelKind, inDouble, new TileSpectra.Back(windowKind, precision == Precision.DOUBLE, of), (tile, known) ->
			List.of(sums, trust(tile, known, known, known, inDouble),
			out.struct()));
	}

	@Override
	public void close() {
		spectra.close();
		super.close();
	}
}
