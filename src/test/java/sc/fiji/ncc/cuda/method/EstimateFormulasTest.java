package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;

/**
 * The error estimates of the GPU that Java computes, worked out by hand for a few coefficients. The other tests compare estimates
 * with errors, which are far smaller in
 * most cases, so they do not see a part that is missing. Needs no GPU.
 */
class EstimateFormulasTest {

	private static final double SINGLE = 9e-6, DOUBLE = 9e-11, EPS_FLOAT = Math.pow(2, -24), EPS_DOUBLE = Math.pow(2, -53);

	private static void equal(final double expected, final double found) {
		assertEquals(expected, found, 1e-12 * Math.abs(expected));
	}

	/**
	 * The coefficient 3 in the first run, and -1 in the second. The partial sums are 3 and -1 in the runs, and 3 and 2 after them. The
	 * common parts are powers of two
	 * not above the coefficients, and not above the sums: 2, 1, and 2, 1.
	 */
	@Test
	void theLimitOfSumsInFloat() {
		final double[] chunks = new double[2 * 4 * TemplateChunks.X];
		chunks[5] = 3;
		chunks[4 * TemplateChunks.X + 9] = -1;
		final double energy = 9 + 1, squares = 9 + 1 + 9 + 4, magnitudes = 3 + 3 + 1 + 1 + 3 + 2, common = 2 + 1 + 2 + 1;
		final double sums = (6 * Math.sqrt(squares + energy) + common) / Math.sqrt(2 * energy), sumsInDouble = magnitudes / Math.sqrt(2 * energy);
		for (final boolean whole : new boolean[] { true, false }) {
			final double pixels = whole ? 0 : 1, deviations = 1 + 2 / 3.0 + 2 / Math.sqrt(3);
			equal(Math.pow((SINGLE - EPS_FLOAT * deviations) / (EPS_FLOAT * (sums + pixels)), 2), TiledDirectMethod.limit(chunks, 2,
				Precision.SINGLE, whole, false, false));
			equal(Math.pow((DOUBLE - EPS_DOUBLE * deviations) / (EPS_DOUBLE * (sumsInDouble + pixels)), 2),
				TiledDirectMethod.limit(chunks, 2, Precision.DOUBLE, whole, false, false));
		}
	}

	/** The sums of {@link #theLimitOfSumsInFloat} without those after the runs: 3 and -1, and the common parts 2 and 1. */
	@Test
	void theLimitOfCompensatedSums() {
		final double[] chunks = new double[2 * 4 * TemplateChunks.X];
		chunks[5] = 3;
		chunks[4 * TemplateChunks.X + 9] = -1;
		final double energy = 9 + 1, sums = (6 * Math.sqrt(9 + 1 + energy) + 2 + 1) / Math.sqrt(2 * energy), deviations = 1 + 2 / 3.0;
		equal(Math.pow((SINGLE - EPS_FLOAT * deviations) / (EPS_FLOAT * sums), 2), TiledDirectMethod.limit(chunks, 2, Precision.SINGLE, true, true, false));
	}

	/** Variances of the rounded pixels, and 8 roundings of a response. */
	@Test
	void theLimitInOnePass() {
		final double[] chunks = new double[4 * TemplateChunks.X];
		chunks[5] = 3;
		final double sums = (6 * Math.sqrt(9 + 9 + 9) + 2 + 2) / Math.sqrt(2 * 9), deviations = 1 + 2 / 3.0 + 1 / Math.sqrt(3) + 8;
		for (final boolean whole : new boolean[] { true, false })
			equal(Math.pow((SINGLE - EPS_FLOAT * deviations) / (EPS_FLOAT * (sums + (whole ? 0 : 2))), 2),
				TiledDirectMethod.limit(chunks, 2, Precision.SINGLE, whole, false, true));
	}

	/** A run without coefficients adds no error. */
	@Test
	void emptyRuns() {
		final double[] chunks = new double[4 * TemplateChunks.X];
		chunks[0] = 3;
		chunks[1] = -2;
		for (final boolean compensated : new boolean[] { false, true })
			equal(TiledDirectMethod.limit(chunks, 7, Precision.SINGLE, true, compensated, false),
				TiledDirectMethod.limit(Arrays.copyOf(chunks, 5 * chunks.length), 7, Precision.SINGLE, true, compensated, false));
	}

	/** At most 128 products of a run, and any number of runs. */
	@Test
	void errorsOfDeviations() {
		equal(EPS_FLOAT * (1 + 100 / 3.0 + 3 / Math.sqrt(3)), TiledDirectMethod.ofDeviations(100, 3, Precision.SINGLE));
		equal(EPS_FLOAT * (1 + 128 / 3.0 + 5 / Math.sqrt(3)), TiledDirectMethod.ofDeviations(600, 5, Precision.SINGLE));
		equal(EPS_DOUBLE * (1 + 128 / 3.0 + 5 / Math.sqrt(3)), TiledDirectMethod.ofDeviations(600, 5, Precision.DOUBLE));
	}

	/** (0.8 · 9e-6 / eps - 1 - 128 / 3) · √3 = 133.6 runs of 32x4 pixels. */
	@ParameterizedTest
	@CsvSource({ "32, 4, 133, false", "32, 4, 134, true", "32, 532, 1, false", "32, 533, 1, true", "4256, 4, 1, false", "4257, 4, 1, true" })
	void templatesOfManyRuns(final long width, final long height, final long depth, final boolean compensated) {
		assertEquals(compensated, TiledDirectMethod.compensated(Size.of(width, height, depth), Precision.SINGLE));
		assertEquals(false, TiledDirectMethod.compensated(Size.of(width, height, depth), Precision.DOUBLE));
	}

	/** 128 products at once, the sums of these, and those of the channels. */
	@ParameterizedTest
	@CsvSource({ "1, 1, 2", "128, 1, 129", "129, 1, 130", "300, 1, 131", "300, 3, 133" })
	void theLimitOfAnyPixels(final int pixels, final int channels, final int additions) {
		equal(SINGLE / ((16 + 2 * additions) * EPS_DOUBLE), GeneralDirectMethod.limit(Precision.SINGLE, pixels, channels));
		equal(DOUBLE / ((16 + 2 * additions) * EPS_DOUBLE), GeneralDirectMethod.limit(Precision.DOUBLE, pixels, channels));
	}

	/** Half of the smallest float in a pixel changes a response by a sixteenth of the tolerance; the other types are not scaled, or far above. */
	@Test
	void theVarianceThatScalingBlurs() {
		for (final PixelType type : PixelType.values()) {
			equal(type == PixelType.F32 ? Math.pow(32 * Math.pow(2, -150) / SINGLE, 2) : 0, GeneralDirectMethod.blur(type, Precision.SINGLE));
			equal(type == PixelType.F32 ? Math.pow(32 * Math.pow(2, -150) / DOUBLE, 2) : 0, GeneralDirectMethod.blur(type, Precision.DOUBLE));
		}
	}

	/**
	 * Coefficients 1 and -2 in two octets of a row, and 3 in the next row: an error of 1, 2 and 3 within the octets, of 1 + 2 for their
	 * sum, of 3 + 3 if both rows are a
	 * run, and of 6 for the sum of all.
	 */
	@Test
	void errorsOfDirectSums() {
		final double[] chunks = new double[2 * TemplateChunks.X];
		chunks[3] = 1;
		chunks[8] = -2;
		chunks[TemplateChunks.X] = 3;
		equal(1 + 2 + 3 + 3 + 6, ConvolveDirectMethod.error(chunks, 1));
		equal(1 + 2 + 3 + 3 + 6 + 6, ConvolveDirectMethod.error(chunks, 2));
		// two coefficients of one octet
		chunks[4] = 5;
		equal(1 + 6 + 2 + 3 + (6 + 2) + 11, ConvolveDirectMethod.error(chunks, 1));
	}

	@Test
	void theShareOfRunningSums() {
		equal((128 + 2 * 7 * 5) * EPS_DOUBLE / SINGLE, WindowSumsKernel.share(7, 5, SINGLE));
		equal((128 + 2 * 300) * EPS_DOUBLE / DOUBLE, WindowSumsKernel.share(300, 1, DOUBLE));
	}

	@Test
	void marginsOfTransforms() {
		equal(10 * EPS_FLOAT, SpectralMethod.eps(false));
		equal(32 * EPS_DOUBLE, SpectralMethod.eps(true));
	}

	/** A two-hundredth of the lags, and 64 at least. */
	@ParameterizedTest
	@CsvSource({ "10, 10, 64", "128, 100, 64", "200, 100, 100", "300, 200, 300" })
	void fewSuspects(final int across, final int down, final int few) {
		assertEquals(few, SpectralMethod.few(new BoxGeometry(Size.of(4, 3, 1), new long[3], new int[] { across, down, 1 }, new long[] { 1000, 1000, 1 }, 1024)));
	}
}
