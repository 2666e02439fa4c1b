package sc.fiji.ncc.cpu.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cpu.window.ByteMoments;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.numeric.ExactScore;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.result.Response;

/** The limits of exact sums: their types hold all intermediate sums exactly. */
class DirectExactTest {

	/** Centred on the middle of their range, 8-bit values lie within 2^7 and 16-bit values within 2^15. */
	private static final long NARROW_PRODUCT = 1L << 14, WIDE_PRODUCT = 1L << 30;

	private static boolean takes(final long pixels, final PixelType type, final Weights weights) {
		return new CpuDirectExact().unsupported(Problems.correlation(type, type, Size.of(pixels + 3), List.of(Size.of(pixels)), weights, Lags.inside(Size.of(4)),
			1)).isEmpty();
	}

	@Test
	void sumsInDoubleStayWithin53Bits() {
		final long most = (1L << 53) / WIDE_PRODUCT;
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.S8, PixelType.U16, PixelType.S16 }) {
			assertTrue(takes(most, type, Weights.NONE));
			assertFalse(takes(most + 1, type, Weights.NONE));
		}
	}

	@Test
	void onlyWholeNumbersOf16BitsAreTaken() {
		for (final PixelType type : PixelType.values()) assertEquals(type.exact(), takes(9, type, Weights.NONE), type.toString());
		for (final Weights weights : Weights.values()) assertEquals(weights != Weights.REAL, takes(9, PixelType.U8, weights), weights.toString());
	}

	/** Two doubles a lag, also in double precision: exact sums have no low-order parts. */
	@Test
	void aKeptTileTakesTwoDoublesALag() {
		final Template template = new Template(Size.of(3, 3), PixelType.U8, new double[] { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, null);
		for (final Precision precision : Precision.values()) {
			final CpuDirectExact.Exact method = new CpuDirectExact.Exact(List.of(template), Problems.in(precision, Problems.correlation(PixelType.U8, PixelType.U8,
				Size.of(9, 9), List.of(Size.of(3, 3)), Weights.NONE, Lags.inside(Size.of(7, 7)), 1)));
			assertEquals(16 * 35, method.sharedBytes(new int[] { 7, 5 }));
		}
	}

	@Test
	void runsInFloatStayWithin24Bits() {
		assertTrue(ByteMoments.EXACT_RUN * NARROW_PRODUCT <= 1 << 24, ByteMoments.EXACT_RUN + " products");
	}

	/** Nearly all products have the maximum size and are odd: a sum that exceeds its type is rounded. */
	@ParameterizedTest
	@CsvSource({ "U8, 64, 64", "U8, 2100, 2", "U16, 64, 64", "U16, 61, 67", "U16, 700, 300" })
	void responsesAreExact(final PixelType type, final int width, final int height) {
		final int lagsX = 4, lagsY = 3, w = width + lagsX - 1, h = height + lagsY - 1;
		final Random random = new Random(width);
		final short[] image = new short[w * h];
		// zero is the farthest from the middle
		for (int i = 0; i < image.length; i++) image[i] = (short) (random.nextInt(50) == 0 ? random.nextInt((int) type.max + 1) : random.nextInt(8) == 0 ? 1 : 0);
		final double[] template = new double[width * height];
		for (int i = 0; i < template.length; i++) template[i] = image[(i / width + 1) * w + i % width + 2] & 0xffff;
		final Img<?> pixels = type == PixelType.U8 ? ArrayImgs.unsignedBytes(bytes(image), w, h) : ArrayImgs.unsignedShorts(image, w, h);
		final Response response = NormalizedCrossCorrelation.of(Views.zeroMin(Views.interval(pixels, FinalInterval.createMinSize(2, 1, width, height))))
			.precision(Precision.DOUBLE).algorithm("cpu-direct-exact").correlate(pixels);
		final ExactScore score = new ExactScore(new Template(Size.of(width, height), type, template, null));
		final double[] window = new double[template.length];
		for (int y = 0; y < lagsY; y++)
			for (int x = 0; x < lagsX; x++) {
				for (int i = 0; i < window.length; i++) window[i] = image[(i / width + y) * w + i % width + x] & 0xffff;
				assertEquals(score.score(window), response.doubleMap().getAt(x, y).get(), 1e-15, x + ", " + y);
			}
	}

	private static byte[] bytes(final short[] values) {
		final byte[] bytes = new byte[values.length];
		for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) values[i];
		return bytes;
	}
}
