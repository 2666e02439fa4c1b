package sc.fiji.ncc.result;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.result.FrameShift.State;
import sc.fiji.ncc.track.TrackPoint;

/** Numbers that results derive from others, what they refuse, and what they say. */
class ResultValuesTest {

	private static final double NEAR = 1e-12;
	/** Standard deviations of 2, 3 and 5, and correlations of 0.5, 0.1 and -0.4. */
	private static final double[][] COVARIANCE = { { 4, 3, 1 }, { 3, 9, -6 }, { 1, -6, 25 } };

	private static String message(final Runnable call) {
		return assertThrows(IllegalArgumentException.class, call::run).getMessage();
	}

	private static FrameShift shift(final long frame, final State state, final double... shift) {
		return new FrameShift(frame, shift, 0.9, 1, 0, Double.NaN, false, state);
	}

	@Test
	void errorsOfPositionsFollowFromTheCovariance() {
		final Match match = new Match(0, new long[0], new long[3], 0.9, new double[3]).refined(new double[3], COVARIANCE);
		final Alignment alignment = new Alignment(new double[3], 0.9, 1, COVARIANCE, false, 0, "", List.of());
		final FrameShift frame = new FrameShift(0, new double[3], 0.9, 1, 0, Double.NaN, false, State.OK, COVARIANCE);
		final TrackPoint point = new TrackPoint(0, 0, new long[3], new double[3], 0.9, 0.1, false, new double[3], false, COVARIANCE);
		assertArrayEquals(new double[] { 2, 3, 5 }, new double[] { match.sigma(0), match.sigma(1), match.sigma(2) }, NEAR);
		assertArrayEquals(new double[] { 2, 3, 5 }, new double[] { alignment.sigma(0), alignment.sigma(1), alignment.sigma(2) }, NEAR);
		assertArrayEquals(new double[] { 2, 3, 5 }, new double[] { frame.sigma(0), frame.sigma(1), frame.sigma(2) }, NEAR);
		assertArrayEquals(new double[] { 2, 3, 5 }, new double[] { point.sigma(0), point.sigma(1), point.sigma(2) }, NEAR);
		assertArrayEquals(new double[] { 0.5, 0.1, -0.4 },
			new double[] { match.correlation(0, 1), match.correlation(2, 0), match.correlation(1, 2) }, NEAR);
		assertArrayEquals(new double[] { 0.5, 0.1, -0.4 },
			new double[] { alignment.correlation(0, 1), alignment.correlation(2, 0), alignment.correlation(1, 2) }, NEAR);
		assertArrayEquals(new double[] { 0.5, 0.1, -0.4 },
			new double[] { frame.correlation(0, 1), frame.correlation(2, 0), frame.correlation(1, 2) }, NEAR);
		assertArrayEquals(new double[] { 0.5, 0.1, -0.4 },
			new double[] { point.correlation(0, 1), point.correlation(2, 0), point.correlation(1, 2) }, NEAR);
	}

	@Test
	void aPointInAnotherFrame() {
		assertEquals(new TrackPoint(2, 7, new long[3], new double[3], 0.9, 0.1, true, new double[3], true, COVARIANCE),
			new TrackPoint(2, 0, new long[3], new double[3], 0.9, 0.1, true, new double[3], true, COVARIANCE).in(7));
	}

	@Test
	void someDimensionsOfAShift() {
		final FrameShift whole = new FrameShift(4, new double[] { 7, 8, 9 }, 0.9, 0.8, 0.1, 0.2, true, State.OUTLIER, COVARIANCE);
		assertEquals(new FrameShift(4, new double[] { 9, 7 }, 0.9, 0.8, 0.1, 0.2, true, State.OUTLIER,
			new double[][] { { 25, 1 }, { 1, 4 } }), whole.along(2, 0));
		assertEquals(new FrameShift(4, new double[] { 1, 2, 3 }, 0.9, 0.8, 0.1, 0.2, true, State.OUTLIER, null),
			whole.with(new double[] { 1, 2, 3 }),
			"the covariance is that of the measured shift");
	}

	@Test
	void aRangeOfMinimumScoresIsOneNumberIfItIsNarrow() {
		assertEquals("0.412", BackgroundState.range(0.4121, 0.4125));
		assertEquals("0.412 to 0.413", BackgroundState.range(0.4121, 0.4127));
	}

	@Test
	void eachReasonOfDoubtIsSaidOnce() {
		assertEquals("", BackgroundState.reasons(Stream.of(BackgroundState.OK, BackgroundState.OK)));
		assertEquals("too few independent responses to fit the background; the scores of the background do not follow the model",
			BackgroundState.reasons(Stream.of(BackgroundState.MISFIT, BackgroundState.OK, BackgroundState.FEW, BackgroundState.MISFIT)));
	}

	@Test
	void aDriftListsAllFrames() {
		assertEquals("frame 2 of the drift has the number 4: list all frames in order",
			message(() -> new Drift(new long[] { 8, 9 }, "first", List.of(shift(0, State.OK, 0, 0), shift(3, State.OK, 0, 0)))));
		assertEquals("the shift of frame 2 has 3 numbers, and frames have 2 dimensions",
			message(() -> new Drift(new long[] { 8, 9 }, "first", List.of(shift(0, State.OK, 0, 0), shift(1, State.OK, 0, 0, 0)))));
	}

	@Test
	void aDriftBelongsToOneStack() {
		final Drift drift = new Drift(new long[] { 8, 9 }, "first", List.of(shift(0, State.OK, 0, 0)));
		drift.requireFor(new long[] { 8, 9 }, 1);
		assertEquals("the transforms are for 1 frames, the stack has 2: use the transforms of a stack with as many frames",
			message(() -> drift.requireFor(new long[] { 8, 9 }, 2)));
		assertEquals("the transforms are for frames of 8x9 pixels, the stack has frames of 9x8: use the transforms of a stack of the same size",
			message(() -> drift.requireFor(new long[] { 9, 8 }, 1)));
	}

	@Test
	void aDriftKeepsItsNumbers() {
		final long[] size = { 8, 9 };
		final Drift drift = new Drift(size, "first", List.of(shift(0, State.OK, 1, -2)));
		size[0] = 0;
		drift.shifts()[0][1] = 5;
		assertArrayEquals(new long[] { 8, 9 }, drift.frameSize());
		assertArrayEquals(new double[] { 1, -2 }, drift.shifts()[0]);
	}

	/** Successive frames of one state are one entry. */
	@Test
	void framesToCheckAreNamed() {
		final State[] states = { State.FLAT, State.OK, State.LOST, State.LOST, State.LOST, State.DOUBTFUL, State.OUTLIER, State.OUTLIER };
		final List<FrameShift> frames = Stream.iterate(0, i -> i < states.length, i -> i + 1).map(i -> shift(i, states[i], 0, 0)).toList();
		final Drift drift = new Drift(new long[] { 8, 9 }, "multi", frames);
		assertEquals("1 (flat), 3 to 5 (lost), 6 (doubtful), 7 to 8 (outlier)", drift.exceptions());
		assertEquals(1, drift.doubtful());
		assertEquals(List.of(true, false, true, true, true, true, false, false), frames.stream().map(f -> f.state().interpolated())
			.toList());
	}

	private static Deformation deformation(final float[]... components) {
		return new Deformation(new int[] { 2, 1 }, new double[] { -0.5, 3 }, new double[] { 32, 16 }, List.of(new float[2][2], components));
	}

	@Test
	void aDeformationKeepsItsGrid() {
		final int[] count = { 2, 1 };
		final double[] origin = { -0.5, 3 }, spacing = { 32, 16 };
		final Deformation d = new Deformation(count, origin, spacing, Collections.singletonList(new float[2][2]));
		count[0] = 7;
		origin[0] = 7;
		spacing[0] = 7;
		assertEquals(new Deformation(new int[] { 2, 1 }, new double[] { -0.5, 3 }, new double[] { 32, 16 },
			Collections.singletonList(new float[2][2])), d);
	}

	@Test
	void theLargestVectorsOfADeformation() {
		final Deformation d = deformation(new float[] { 1, -3 }, new float[] { 2, 0.5f });
		assertEquals(3, d.largest(0));
		assertEquals(2, d.largest(1));
		final Drift drift = new Drift(new long[] { 8, 9 }, "first", List.of(shift(0, State.OK, 0, 0), shift(1, State.OK, 1, -2.5)), d);
		assertEquals("largest shift 1.00, 2.50 and deformation 3.00, 2.00 pixels", drift.largestText());
		assertTrue(message(() -> new Drift(new long[] { 8, 9, 7 }, "first",
			List.of(shift(0, State.OK, 0, 0, 0), shift(1, State.OK, 0, 0, 0)), d))
			.contains("is not for 2 frames of 3 dimensions"));
		assertTrue(message(() -> new Drift(new long[] { 8, 9 }, "first", List.of(shift(0, State.OK, 0, 0)), d))
			.contains("is not for 1 frames of 2 dimensions"));
	}

	@Test
	void aDeformationIsRefusedWithTheNumberThatIsWrong() {
		final int[] count = { 2, 1 };
		final double[] two = { 1, 1 };
		assertTrue(message(() -> new Deformation(count, two, new double[] { 1 }, List.of()))
			.startsWith("the grid of a deformation has 2, 2 and 1 numbers"));
		assertTrue(message(() -> new Deformation(count, new double[] { 1, 1, 1 }, two, List.of()))
			.startsWith("the grid of a deformation has 2, 3 and 2 numbers"));
		assertTrue(message(() -> new Deformation(new int[] { 0, 1 }, two, two, List.of())).contains("has 0 vectors along a dimension"));
		for (final double wrong : new double[] { 0, -1, Double.NaN, Double.POSITIVE_INFINITY })
			assertTrue(message(() -> new Deformation(count, two, new double[] { 1, wrong }, List.of()))
				.startsWith("the spacing of a deformation is " + wrong));
		assertEquals("the deformation of frame 2 has 3 components, and its grid has 2 dimensions",
			message(() -> deformation(new float[2], new float[2], new float[2])));
		assertEquals("the deformation of frame 2 has 3 vectors, and its grid has 2",
			message(() -> deformation(new float[2], new float[3])));
		for (final float wrong : new float[] { Float.NaN, Float.NEGATIVE_INFINITY })
			assertTrue(message(() -> deformation(new float[2], new float[] { 0, wrong }))
				.startsWith("the deformation of frame 2 has a vector of " + wrong));
	}
}
