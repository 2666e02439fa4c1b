package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Spectra and textures of templates when a step of their preparation fails: all memory comes back, and the same object can be used when there is memory. The
 * pool's limit rises in small steps, so that each allocation fails once. Skipped, with the reason, without a GPU.
 */
@Tag("gpu")
class SpectraFaultTest {

	private static final int SIDE = 200, STEP = 1 << 14;
	private static final Size SIZE = Size.of(SIDE, SIDE, 1);

	private CudaDevice device;

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
		device = Driver.devices().list().get(0);
	}

	@AfterEach
	void noLimit() {
		if (device != null) device.memory().limit(Long.MAX_VALUE);
	}

	private static double[] coefficients() {
		final double[] values = new double[SIDE * SIDE];
		for (int i = 0; i < values.length; i++) values[i] = Math.sin(i);
		return values;
	}

	private static float[] rounded() {
		final double[] values = coefficients();
		final float[] floats = new float[values.length];
		for (int i = 0; i < floats.length; i++) floats[i] = (float) values[i];
		return floats;
	}

	/** What is prepared for a template. */
	private interface Prepared extends AutoCloseable {

		void use(StreamContext context);

		@Override
		void close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void spectraOfBoxes(final boolean inDouble) {
		assumeTrue(Cufft.missing() == null, Cufft.missing());
		final TransformExtents extents = TransformExtents.of(2 * SIDE, 2 * SIDE, 1);
		// of all steps: the buffer of pixels, the spectrum, the coefficients
		assertTrue(failures(() -> {
			final BoxSpectra spectra = new BoxSpectra(device, SIZE, coefficients(), rounded());
			return new Prepared() {

				@Override
				public void use(final StreamContext context) {
					spectra.prepare(context, extents, inDouble);
				}

				@Override
				public void close() {
					spectra.close();
				}
			};
		}) >= 3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void spectraOfTiles(final boolean inDouble) {
		// of all steps: the spectra, their records, the coefficients
		assertTrue(failures(() -> {
			final TileSpectra spectra = new TileSpectra(device, SIZE, coefficients(), rounded());
			return new Prepared() {

				@Override
				public void use(final StreamContext context) {
					spectra.model(context, inDouble);
				}

				@Override
				public void close() {
					spectra.close();
				}
			};
		}) >= 3);
	}

	/** Raises the limit until nothing fails. @return the number of failures */
	private int failures(final Supplier<Prepared> maker) {
		device.enter(); // here, because a test has a thread of its own
		int failures = 0;
		for (boolean failed = true; failed; failures += failed ? 1 : 0) {
			device.memory().trim();
			final long before = device.memory().deviceBytes();
			try (StreamContext context = new StreamContext(device); Prepared prepared = maker.get()) {
				device.memory().limit(before + (long) failures * STEP);
				failed = fails(prepared, context);
				device.memory().limit(Long.MAX_VALUE);
				prepared.use(context);
			}
			device.memory().trim();
			assertEquals(before, device.memory().deviceBytes(), "bytes after " + failures + " failures");
		}
		return failures;
	}

	private static boolean fails(final Prepared prepared, final StreamContext context) {
		try {
			prepared.use(context);
			return false;
		}
		catch (final DeviceException e) {
			return true;
		}
	}

	/** A texture has at most 65,000 rows. */
	@Test
	void aTextureThatCannotBeMade() {
		final int rows = 70_000;
		final double[] values = new double[2 * rows];
		for (int i = 0; i < values.length; i++) values[i] = i % 7;
		final Size size = Size.of(2, rows);
		final Template template = new Template(size, PixelType.U8, values, null);
		device.memory().trim();
		final long before = device.memory().deviceBytes();
		assertThrows(DeviceException.class, () -> new HandbookMethod(device, template, Problems.correlation(PixelType.U8, PixelType.U8, size, List.of(size),
			Weights.NONE, Lags.inside(Size.of(1, 1)), 1), false));
		device.memory().trim();
		assertEquals(before, device.memory().deviceBytes());
	}
}
