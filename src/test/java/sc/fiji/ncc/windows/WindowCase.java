package sc.fiji.ncc.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.contract.ImageContent;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.WindowPairs.Shape;
import sc.fiji.ncc.plan.window.WindowAlgorithm;
import sc.fiji.ncc.plan.window.WindowExecution;

/**
 * Windows of one frame that are correlated with another frame, for every algorithm that does so.
 *
 * @param content what both frames show, the second one moved by a pixel and with other noise
 */
record WindowCase(PixelType type, ImageContent content, int exponent, Missing missing, Grid grid, Shape shape) {

	enum Missing { NONE, SOME, NOT_A_NUMBER, MASKED_NOT_A_NUMBER }

	private WindowCase(final PixelType type, final ImageContent content, final int exponent, final Missing missing, final Grid grid) {
		this(type, content, exponent, missing, grid, Shape.SQUARE);
	}

	/** The extents of frames, windows, spacing and shifts. */
	record Grid(int[] frame, int[] window, int[] spacing, int[] shift, double minOverlap) {}

	/** The largest error of a response, beyond the one that is stated. */
	private static final double LIMIT = 1e-5;

	/** Windows that share nothing, whole rows, blocks, single pixels; that fill the frame; volumes. */
	private static final List<Grid> GRIDS = List.of(grid(new int[] { 41, 37 }, new int[] { 12, 9 }, new int[] { 6, 4 }, new int[] { 4, 5 }, 0.5),
		grid(new int[] { 40, 24 }, new int[] { 8, 8 }, new int[] { 8, 8 }, new int[] { 9, 2 }, 0.3),
		grid(new int[] { 30, 33 }, new int[] { 7, 5 }, new int[] { 11, 9 }, new int[] { 2, 3 }, 0.5),
		grid(new int[] { 19, 18 }, new int[] { 6, 7 }, new int[] { 1, 2 }, new int[] { 3, 1 }, 0.6),
		grid(new int[] { 21, 20 }, new int[] { 21, 20 }, new int[] { 3, 3 }, new int[] { 6, 7 }, 0.25),
		grid(new int[] { 75, 20 }, new int[] { 37, 3 }, new int[] { 18, 2 }, new int[] { 2, 0 }, 0),
		grid(new int[] { 60, 9 }, new int[] { 10, 9 }, new int[] { 10, 1 }, new int[] { 0, 4 }, 0.5),
		grid(new int[] { 17, 15, 14 }, new int[] { 6, 5, 4 }, new int[] { 4, 3, 2 }, new int[] { 2, 1, 3 }, 0.5),
		grid(new int[] { 16, 12, 6 }, new int[] { 8, 6, 1 }, new int[] { 4, 6, 1 }, new int[] { 1, 2, 2 }, 0.4));

	private static Grid grid(final int[] frame, final int[] window, final int[] spacing, final int[] shift, final double minOverlap) {
		return new Grid(frame, window, spacing, shift, minOverlap);
	}

	static List<WindowCase> all() {
		final List<WindowCase> all = new ArrayList<>();
		for (final PixelType type : PixelType.values())
			for (final ImageContent content : ImageContent.values()) {
				if (!content.suits(type)) continue;
				for (final Missing missing : Missing.values()) {
					if (type.integer && missing != Missing.NONE && missing != Missing.SOME) continue;
					// each type and content has all kinds of grids between them
					for (int g = 0; g < GRIDS.size(); g++)
						if ((g + type.ordinal() + content.ordinal() + missing.ordinal()) % (content == ImageContent.NOISE ? 2 : 9) == 0) all.add(new WindowCase(type,
							content, 0, missing, GRIDS.get(g)));
				}
			}
		// squares near both ends of the range of doubles
		for (final int exponent : new int[] { -535, -530, -525, -520, -510, 490, 500, 503, 506, 509 })
			for (final Missing missing : List.of(Missing.NONE, Missing.SOME)) all.add(new WindowCase(PixelType.F64, ImageContent.NOISE, exponent, missing,
				GRIDS.get(3)));
		for (final Shape shape : new Shape[] { Shape.CIRCLE, Shape.GAUSSIAN })
			for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.U16, PixelType.F32 })
				for (final Missing missing : List.of(Missing.NONE, Missing.SOME))
					for (final int g : new int[] { 0, 1, 4, 7 }) all.add(new WindowCase(type, ImageContent.NOISE, 0, missing, GRIDS.get(g), shape));
		return all;
	}

	@Override
	public String toString() {
		return type + " " + content + (exponent == 0 ? "" : " times 2^" + exponent) + ", missing " + missing + ", " + problem();
	}

	private static Size size(final int[] extents) {
		return Size.of(Arrays.stream(extents).asLongStream().toArray());
	}

	private boolean isMasked() {
		return missing == Missing.SOME || missing == Missing.MASKED_NOT_A_NUMBER;
	}

	WindowPairs problem() {
		return new WindowPairs(type, size(grid.frame), size(grid.window), size(grid.spacing), size(Arrays.stream(grid.shift).map(s -> 2 * s + 1).toArray()),
			isMasked(), grid.minOverlap, 1, shape);
	}

	/** A frame of this case. */
	private double[] frame(final Random random, final int moved) {
		final double[] shown = content.draw(type, grid.frame, random), frame = shown.clone();
		final int n = shown.length;
		for (int i = 0; i < n; i++) frame[i] = Math.scalb(shown[(i + moved) % n], exponent);
		if (missing == Missing.NOT_A_NUMBER || missing == Missing.MASKED_NOT_A_NUMBER)
			for (int i = 0; i < 3; i++) frame[random.nextInt(n)] = i == 0 ? Double.NaN : Double.POSITIVE_INFINITY;
		return frame;
	}

	private double[] present(final Random random, final double[] frame) {
		if (!isMasked()) return null;
		final double[] present = new double[frame.length];
		final int x0 = random.nextInt(grid.frame[0]), y0 = random.nextInt(grid.frame[1]);
		for (int i = 0; i < present.length; i++) {
			final int x = i % grid.frame[0], y = i / grid.frame[0] % grid.frame[1];
			present[i] = x >= x0 && x < x0 + 4 && y >= y0 && y < y0 + 5 || missing == Missing.MASKED_NOT_A_NUMBER && !Double.isFinite(frame[i]) ? 0 : 1;
		}
		return present;
	}

	/** Compares all windows with the definition. */
	void check(final WindowAlgorithm algorithm, final Device device) {
		final Random random = new Random(toString().hashCode());
		final double[] a = frame(random, 0), b = frame(random, 1), inA = present(random, a), inB = present(random, b);
		final ArrayPixels fixed = new ArrayPixels(type, grid.frame, a, false, inA), moving = new ArrayPixels(type, grid.frame, b, false, inB);
		final WindowPairs problem = problem();
		final int windows = (int) problem.count().pixels(), lags = (int) problem.lags().pixels();
		final double[][] found = new double[windows][];
		final double[] errors = new double[windows];
		final Report report;
		try (WindowExecution execution = algorithm.plan(problem, device).prepare(2)) {
			report = execution.search(fixed, moving, null, (w, responses, error) -> {
				assertNull(found[w], "window " + w + " twice");
				found[w] = responses.clone();
				errors[w] = error;
			}, Monitor.NONE);
		}
		long responses = 0, undefined = 0;
		for (int w = 0; w < windows; w++) {
			final int[] first = Arrays.stream(problem.first(w)).mapToInt(Math::toIntExact).toArray();
			final double[] template = cut(a, first), weights = weights(inA, first);
			final double[] expected = expected(template, weights, b, inB, first);
			if (expected == null) {
				assertNull(found[w], "window " + w);
				continue;
			}
			assertFalse(found[w] == null, "window " + w + " is missing");
			assertTrue(errors[w] <= LIMIT, "error " + errors[w]);
			responses += lags;
			for (int i = 0; i < lags; i++) {
				if (Double.isNaN(expected[i])) undefined++;
				assertEquals(expected[i], found[w][i], errors[w], "window " + w + ", lag " + i);
			}
		}
		assertEquals(responses, report.responses());
		assertEquals(undefined, report.undefined());
	}

	/** The weights of the shape, and 0 for missing pixels; null if all are 1. */
	private double[] weights(final double[] present, final int[] first) {
		final double[] weights = shape.weights(size(grid.window));
		if (present == null) return weights;
		final double[] cut = cut(present, first);
		for (int i = 0; i < cut.length && weights != null; i++) cut[i] *= weights[i];
		return cut;
	}

	/** In the order of the pixels: the share of weights can be that of the overlap up to rounding. */
	private static double sum(final double[] values) {
		double sum = 0;
		for (final double v : values) sum += v;
		return sum;
	}

	private double[] cut(final double[] frame, final int[] first) {
		final double[] window = new double[ReferenceNcc.pixels(grid.window)];
		final int[] at = new int[first.length];
		for (int i = 0; i < window.length; i++) {
			ReferenceNcc.unravel(i, grid.window, at);
			for (int d = 0; d < at.length; d++) at[d] += first[d];
			window[i] = frame[ReferenceNcc.index(grid.frame, at)];
		}
		return window;
	}

	/** The responses by their definition; null if the window has none. */
	private double[] expected(final double[] template, final double[] weights, final double[] image, final double[] present, final int[] first) {
		final int[] counted = IntStream.range(0, template.length).filter(i -> weights == null || weights[i] > 0).toArray();
		final double[] all = shape.weights(size(grid.window));
		final double left = weights == null ? template.length : sum(weights), whole = all == null ? template.length : sum(all);
		if (counted.length == 0 || left < grid.minOverlap * whole || Arrays.stream(counted).anyMatch(i -> !Double.isFinite(template[i])) || Arrays
			.stream(counted).allMatch(i -> template[i] == template[counted[0]])) return null;
		final long[] origin = new long[first.length];
		for (int d = 0; d < origin.length; d++) origin[d] = first[d] - grid.shift[d];
		return new ReferenceNcc(image, grid.frame, template, grid.window, weights, present).responses(ReferenceNcc.Form.AFFORDABLE, origin, Arrays.stream(grid.shift).map(
			s -> 2 * s + 1).toArray(), true, grid.minOverlap);
	}
}
