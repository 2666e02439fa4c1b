package sc.fiji.ncc.track;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** What a template carries along from frame to frame, step by step. */
class MovingTemplateTest {

	private static final double NEAR = 1e-12;
	private static final long[] START = { 20, 30 };
	private static final double[] FIRST = values(1), SECOND = values(2), THIRD = values(3);

	private static double[] values(final long seed) {
		return new Random(seed).ints(12, 0, 256).asDoubleStream().toArray();
	}

	private static MovingTemplate template(final Update update) {
		final MovingTemplate t = new MovingTemplate(new Template(Size.of(4, 3), PixelType.U8, FIRST, null), START, update, true);
		t.calibrate(new double[] { 0.2, -0.1 });
		return t;
	}

	@Test
	void aFixedTemplateGoesWhereItIsFoundAndStaysAsItIs() {
		final MovingTemplate t = template(Update.FIXED);
		assertFalse(t.needsWindow());
		final long[] at = { 22, 29 };
		assertArrayEquals(new double[] { 22 + 0.3 - 0.2, 29 - 0.4 + 0.1 }, t.shown(at, new double[] { 0.3, -0.4 }), NEAR);
		assertArrayEquals(new double[] { 22, 29 - 0.4 + 0.1 }, t.shown(at, new double[] { Double.NaN, -0.4 }), NEAR, "without a fit it lies where it is found");
		t.found(at, new double[] { 22.1, 28.7 }, null, null);
		assertFalse(t.changed());
		assertArrayEquals(at, t.place());
		assertArrayEquals(FIRST, t.current().values());
		assertArrayEquals(new double[] { 2.1, -1.3 }, t.motion(new double[] { 22.1, 28.7 }), NEAR);
	}

	@Test
	void onePreviousTemplateCarriesWhatItsWindowIsOff() {
		final MovingTemplate t = template(Update.PREVIOUS);
		// what it showed lies 0.4 and -0.3 off the window; a fit finds the window 0.05 off itself, along y there is none
		t.found(new long[] { 21, 30 }, new double[] { 21.4, 29.7 }, SECOND, new double[] { 0.05, Double.NaN });
		assertTrue(t.changed());
		assertArrayEquals(SECOND, t.current().values());
		assertArrayEquals(new double[] { 23 + 0.1 - 0.05 + 0.4, 30 + 0.2 - 0.3 }, t.shown(new long[] { 23, 30 }, new double[] { 0.1, 0.2 }), NEAR);
		assertArrayEquals(new double[] { 23 + 0.4, 30 - 0.3 }, t.shown(new long[] { 23, 30 }, new double[] { Double.NaN, Double.NaN }), NEAR);
		assertArrayEquals(new double[] { 21.4, 29.7 }, t.shown(), NEAR, "where it was last");
		t.anchor();
		assertFalse(t.changed());
		assertArrayEquals(new double[] { 23 + 0.1 - 0.2, 30 + 0.2 + 0.1 }, t.shown(new long[] { 23, 30 }, new double[] { 0.1, 0.2 }), NEAR, "as it began, where it is");
		assertArrayEquals(new long[] { 21, 30 }, t.place());
		t.restart();
		assertArrayEquals(START, t.place());
	}

	/** Values, offsets and what a fit is off in its own frame: all are means with the same weight. */
	@Test
	void aMeanCarriesMeans() {
		final double w = 0.25;
		final MovingTemplate t = template(Update.mean(w));
		final double[] own = { 0.2, -0.1 }, offset = new double[2], mean = FIRST.clone();
		final double[][] windows = { SECOND, THIRD };
		final double[][] shown = { { 21.4, 29.7 }, { 22.2, 28.9 } }, itself = { { 0.05, Double.NaN }, { Double.NaN, 0.3 } };
		final long[][] at = { { 21, 30 }, { 22, 29 } };
		for (int step = 0; step < 2; step++) {
			t.found(at[step], shown[step], windows[step], itself[step]);
			for (int i = 0; i < mean.length; i++) mean[i] += w * (windows[step][i] - mean[i]);
			for (int d = 0; d < 2; d++) {
				offset[d] += w * (shown[step][d] - at[step][d] - offset[d]);
				own[d] = (1 - w) * own[d] + (Double.isNaN(itself[step][d]) ? 0 : w * itself[step][d]);
			}
			assertArrayEquals(mean, t.current().values(), 1e-9);
			assertArrayEquals(new double[] { 40 + 0.1 - own[0] + offset[0], 50 + 0.2 - own[1] + offset[1] }, t.shown(new long[] { 40, 50 }, new double[] { 0.1, 0.2 }), NEAR);
		}
	}

	/** A template that has changed has the new bias of the initial one when it is anchored. */
	@Test
	void theBiasOfAChangedTemplate() {
		final MovingTemplate t = template(Update.PREVIOUS);
		t.found(new long[] { 21, 30 }, new double[] { 21.4, 29.7 }, SECOND, new double[] { 0.05, Double.NaN });
		t.calibrate(new double[] { 0.3, 0.4 });
		assertTrue(t.changed());
		assertArrayEquals(new double[] { 23 - 0.05 + 0.4, 30 - 0.3 }, t.shown(new long[] { 23, 30 }, new double[2]), NEAR);
		t.anchor();
		assertArrayEquals(new double[] { 23 - 0.3, 30 - 0.4 }, t.shown(new long[] { 23, 30 }, new double[2]), NEAR);
	}

	/** The mean of a window and its negative is flat. The next mean is that of the last template. */
	@Test
	void aFlatMeanIsForgotten() {
		final MovingTemplate t = template(Update.mean(0.5));
		final double[] negative = FIRST.clone(), mean = FIRST.clone();
		for (int i = 0; i < mean.length; i++) negative[i] = 200 - FIRST[i];
		t.found(new long[] { 21, 30 }, new double[] { 21, 30 }, negative, new double[2]);
		assertFalse(t.changed());
		t.found(new long[] { 21, 30 }, new double[] { 21, 30 }, SECOND, new double[2]);
		for (int i = 0; i < mean.length; i++) mean[i] += 0.5 * (SECOND[i] - mean[i]);
		assertArrayEquals(mean, t.current().values(), 1e-9);
	}

	/** A template of floats has floats, as the frames have, and one of doubles has doubles. */
	@Test
	void valuesOfATemplateAreOfItsType() {
		final double[] tenths = Arrays.stream(FIRST).map(v -> v / 10).toArray(), floats = Arrays.stream(tenths).map(v -> (float) v)
			.toArray();
		for (final PixelType type : new PixelType[] { PixelType.F32, PixelType.F64 })
			assertArrayEquals(type == PixelType.F32 ? floats : tenths,
				new MovingTemplate(new Template(Size.of(4, 3), type, FIRST, null), START, Update.PREVIOUS, true).template(tenths)
					.orElseThrow().values());
	}

	/** Boxes of a map come one by one, from any position of a buffer. */
	@Test
	void responsesOfBoxes() {
		final FrameResponses responses = new FrameResponses(null, 3);
		final Sink sink = responses.sink(new int[] { 2, 0 }, new int[] { 4, 3, 2 });
		for (int z = 0; z < 2; z++) for (int y = 0; y < 3; y += 2) for (int x = 0; x < 4; x += 2) {
			final int[] part = { 2, Math.min(2, 3 - y), 1 };
			final float[] box = new float[3 + part[0] * part[1]];
			for (int i = 0; i < part[0] * part[1]; i++) box[3 + i] = x + i % 2 + 10 * (y + i / 2) + 100 * z;
			sink.map(1, new long[] { x, y, z }, part, FloatBuffer.wrap(box).position(3));
		}
		for (int i = 0; i < 24; i++) assertEquals(i % 4 + 10 * (i / 4 % 3) + 100 * (i / 12), responses.maps()[0][i]);
		assertArrayEquals(new float[24], responses.maps()[2]);
		assertNull(responses.maps()[1]);
		assertTrue(Float.isNaN(sink.undefined()));
	}

	@Test
	void whatIsFlatOrNoNumberChangesNothing() {
		final MovingTemplate t = template(Update.PREVIOUS);
		final double[] broken = SECOND.clone();
		broken[3] = Double.NaN;
		for (final double[] window : new double[][] { new double[12], broken }) {
			t.found(new long[] { 21, 30 }, new double[] { 21.4, 29.7 }, window, new double[2]);
			assertFalse(t.changed());
			assertArrayEquals(new double[] { 21 + 0.1 - 0.2, 30.2 + 0.1 }, t.shown(new long[] { 21, 30 }, new double[] { 0.1, 0.2 }), NEAR);
		}
		assertEquals(21, t.place()[0]);
	}
}
