package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.Alignment;

class RegistrationTest {

	private static final DriftTexture TEXTURE = new DriftTexture(320, 320, 1.3, 1);

	/** A frame whose content has moved by a shift in eighths of a pixel. */
	private static float[] moved(final int dx, final int dy, final int w, final int h) {
		return TEXTURE.frame(256 - dx, 256 - dy, w, h);
	}

	private static ArrayImg<UnsignedByteType, ?> noise(final long seed, final long... size) {
		final ArrayImg<UnsignedByteType, ?> image = ArrayImgs.unsignedBytes(size);
		final Random random = new Random(seed);
		for (final UnsignedByteType p : image) p.set(random.nextInt(256));
		return image;
	}

	/** A part of an image, with its first pixel at 0. */
	private static <T> RandomAccessibleInterval<T> part(final RandomAccessibleInterval<T> image, final long... minSize) {
		return Views.zeroMin(Views.interval(image, Intervals.createMinSize(minSize)));
	}

	@Test
	void aShiftWithoutNoiseIsFoundWithinTwoThousandthsOfAPixel() {
		final Random random = new Random(2);
		for (int i = 0; i < 12; i++) {
			final int dx = random.nextInt(160) - 80, dy = random.nextInt(160) - 80;
			final Alignment a = Registration.of(ArrayImgs.floats(moved(0, 0, 200, 180), 200, 180)).register(ArrayImgs.floats(moved(dx, dy, 200, 180), 200, 180));
			assertArrayEquals(new double[] { dx / 8.0, dy / 8.0 }, a.shift(), 0.002);
			assertTrue(a.covariance() != null && !a.edge());
		}
	}

	/** The fixed image is transformed together with the moving one, in each call. */
	@Test
	void aSecondCallGivesTheSameBytes() {
		final Registration registration = Registration.of(ArrayImgs.floats(moved(0, 0, 200, 180), 200, 180)).peaks(2).backend("cpu");
		final Alignment first = registration.register(ArrayImgs.floats(moved(21, -13, 200, 180), 200, 180));
		final Alignment other = registration.register(ArrayImgs.floats(moved(-9, 30, 190, 180), 190, 180));
		assertEquals(first, registration.register(ArrayImgs.floats(moved(21, -13, 200, 180), 200, 180)));
		assertEquals(first, registration.register(ArrayImgs.floats(moved(21, -13, 200, 180), 200, 180)));
		assertEquals(other, registration.register(ArrayImgs.floats(moved(-9, 30, 190, 180), 190, 180)));
	}

	@Test
	void theInterpolationHardlyBiasesTheShiftOfSharpAndOfSmoothContent() {
		for (final double sigma : new double[] { 0.9, 1.3, 2.5 }) {
			final DriftTexture texture = new DriftTexture(230, 220, sigma, 4);
			for (int d = 1; d < DriftTexture.FINE; d++)
				assertArrayEquals(new double[] { d / 8.0, -d / 8.0 }, Registration.of(texture.image(64, 64, 200, 190)).register(texture.image(64 - d, 64 + d, 200, 190)).shift(), 6e-4,
					"sigma " + sigma);
		}
	}

	/** The bound of Cramér and Rao for two frames with noise of the same variance: {@code 2σ²·(Σ∇f∇fᵀ)⁻¹}. */
	@Test
	@Tag("slow")
	void withNoiseTheErrorIsNearTheBoundOfCramerAndRao() {
		final Random random = new Random(3);
		final int n = 30;
		for (final double photons : new double[] { 20, 200, 1000 }) {
			double sum = 0, predicted = 0;
			for (int i = 0; i < n; i++) {
				final int dx = random.nextInt(64) - 32, dy = random.nextInt(64) - 32;
				final ArrayImg<UnsignedShortType, ?> f = ArrayImgs.unsignedShorts(DriftTexture.photons(moved(0, 0, 192, 192), photons, 0.3, random), 192, 192);
				final ArrayImg<UnsignedShortType, ?> m = ArrayImgs.unsignedShorts(DriftTexture.photons(moved(dx, dy, 192, 192), photons, 0.3, random), 192, 192);
				final Alignment a = Registration.of(f).register(m);
				sum += Math.pow(a.shift()[0] - dx / 8.0, 2) + Math.pow(a.shift()[1] - dy / 8.0, 2);
				predicted += a.covariance()[0][0] + a.covariance()[1][1];
			}
			double gradient = 0;
			for (int y = 0; y < 192; y++)
				for (int x = 0; x < 192; x++) {
					final float[] before = TEXTURE.frame(256 + 8 * x - 1, 256 + 8 * y, 1, 1), after = TEXTURE.frame(256 + 8 * x + 1, 256 + 8 * y, 1, 1);
					gradient += Math.pow(0.3 * photons * 4 * (after[0] - before[0]), 2);
				}
			final double bound = Math.sqrt(2 * photons / gradient), rms = Math.sqrt(sum / n / 2);
			assertTrue(rms < 1.3 * bound, photons + " photons: " + rms + " pixels, the bound is " + bound);
			final double ratio = Math.sqrt(predicted / n / 2) / rms;
			assertTrue(ratio > 0.8 && ratio < 1.4, photons + " photons: the covariance predicts " + ratio + " of the error");
		}
	}

	@Test
	@Tag("slow")
	void theEllipseOf68PercentHoldsTheShift() {
		final Random random = new Random(14);
		final int n = 150;
		int inside = 0, all = 0;
		for (final double photons : new double[] { 30, 500 }) {
			int of = 0;
			for (int i = 0; i < n; i++) {
				final int dx = random.nextInt(64) - 32, dy = random.nextInt(64) - 32;
				final ArrayImg<UnsignedShortType, ?> f = ArrayImgs.unsignedShorts(DriftTexture.photons(moved(0, 0, 128, 112), photons, 0.3, random), 128, 112);
				final ArrayImg<UnsignedShortType, ?> m = ArrayImgs.unsignedShorts(DriftTexture.photons(moved(dx, dy, 128, 112), photons, 0.3, random), 128, 112);
				final Alignment a = Registration.of(f).register(m);
				final double[][] c = a.covariance();
				final double x = a.shift()[0] - dx / 8.0, y = a.shift()[1] - dy / 8.0;
				final double distance = (c[1][1] * x * x - 2 * c[0][1] * x * y + c[0][0] * y * y) / (c[0][0] * c[1][1] - c[0][1] * c[0][1]);
				// the quantile of χ² with two degrees of freedom
				if (distance < -2 * Math.log(0.32)) of++;
			}
			assertEquals(0.68, of / (double) n, 0.12, photons + " photons");
			inside += of;
			all += n;
		}
		assertEquals(0.68, inside / (double) all, 0.08);
	}

	/** Phase correlation returns other shifts for random images, because most of a shifted frame is new. */
	@Test
	void randomImagesThatAreNotPeriodic() {
		final ArrayImg<UnsignedByteType, ?> all = noise(4, 160, 150);
		for (final long[] shift : new long[][] { { -22, 13 }, { 30, 0 }, { -1, -40 }, { 0, 0 } }) {
			final Alignment a = Registration.of(part(all, 40, 40, 80, 70)).register(part(all, 40 - shift[0], 40 - shift[1], 80, 70));
			assertArrayEquals(new double[] { shift[0], shift[1] }, a.shift(), 0.01);
			assertEquals(1, a.score(), "the overlap is equal in both");
			assertEquals((80.0 - Math.abs(shift[0])) * (70 - Math.abs(shift[1])) / (80 * 70), a.overlap(), 1e-12);
			assertTrue(a.runnerUp() < 0.3, "runner-up " + a.runnerUp());
		}
	}

	@Test
	void masksOnBothVolumes() {
		final ArrayImg<UnsignedByteType, ?> all = noise(5, 60, 56, 44);
		final long[] size = { 36, 32, 24 }, shift = { 3, -2, 4 };
		final RandomAccessibleInterval<UnsignedByteType> fixed = copy(part(all, 10, 10, 10, size[0], size[1], size[2]));
		final RandomAccessibleInterval<UnsignedByteType> moving = copy(part(all, 10 - shift[0], 10 - shift[1], 10 - shift[2], size[0], size[1], size[2]));
		final RandomAccessibleInterval<UnsignedByteType> fixedMask = spoiled(fixed, 6), movingMask = spoiled(moving, 7);
		final Alignment a = Registration.of(fixed).fixedMask(fixedMask).movingMask(movingMask).register(moving);
		assertArrayEquals(new double[] { shift[0], shift[1], shift[2] }, a.shift(), 0.01);
		assertEquals(1, a.score());
		// without the masks, the spoiled pixels lower the score
		assertTrue(Registration.of(fixed).register(moving).score() < 0.9);
	}

	private static RandomAccessibleInterval<UnsignedByteType> copy(final RandomAccessibleInterval<UnsignedByteType> image) {
		final ArrayImg<UnsignedByteType, ?> copy = ArrayImgs.unsignedBytes(image.dimensionsAsLongArray());
		final Cursor<UnsignedByteType> from = Views.flatIterable(image).cursor();
		for (final UnsignedByteType p : copy) p.set(from.next());
		return copy;
	}

	/** Sets a fifth of the pixels to noise and returns the mask of the others. */
	private static RandomAccessibleInterval<UnsignedByteType> spoiled(final RandomAccessibleInterval<UnsignedByteType> image, final long seed) {
		final Random random = new Random(seed);
		final ArrayImg<UnsignedByteType, ?> mask = ArrayImgs.unsignedBytes(image.dimensionsAsLongArray());
		final Cursor<UnsignedByteType> pixel = Views.flatIterable(image).cursor();
		for (final UnsignedByteType p : mask) {
			final boolean counts = random.nextInt(5) > 0;
			p.set(counts ? 1 : 0);
			pixel.fwd();
			if (!counts) pixel.get().set(random.nextBoolean() ? 255 : 0);
		}
		return mask;
	}

	@Test
	void imagesOfDifferentSizes() {
		final ArrayImg<UnsignedByteType, ?> all = noise(8, 128, 100);
		// a part of the image lies inside it, and another one extends beyond it
		assertArrayEquals(new double[] { -20, -15 }, Registration.of(all).register(part(all, 20, 15, 60, 70)).shift(), 0.01);
		assertArrayEquals(new double[] { 20, 15 }, Registration.of(part(all, 20, 15, 60, 70)).register(all).shift(), 0.01);
		assertArrayEquals(new double[] { -60, 10 }, Registration.of(part(all, 0, 20, 100, 60)).register(part(all, 60, 10, 68, 90)).shift(), 0.01);
		final RandomAccessibleInterval<UnsignedByteType> fixed = copy(all), mask = spoiled(fixed, 9);
		assertArrayEquals(new double[] { -20, -15 }, Registration.of(fixed).fixedMask(mask).register(part(all, 20, 15, 60, 70)).shift(), 0.01);
	}

	@Test
	void volumes() {
		final MovingTexture texture = new MovingTexture(3, 10);
		final double[] shift = { 2.3, -1.6, 0.7 };
		final RandomAccessibleInterval<FloatType> stack = texture.stack(new FloatType(), new double[][] { { 0, 0, 0 }, shift }, new long[] { 48, 44, 40 }, 100, 10, 0);
		final Alignment a = Registration.of(Views.hyperSlice(stack, 3, 0)).maxShift(8, 8, 8).register(Views.hyperSlice(stack, 3, 1));
		assertArrayEquals(shift, a.shift(), 0.005);
	}

	/** The score is that of the definition, at the whole-pixel lag of the peak. */
	@Test
	void theScoreIsExact() {
		final Random random = new Random(11);
		final double[] f = new double[30 * 26], m = new double[30 * 26];
		for (int i = 0; i < f.length; i++) {
			f[i] = 1e6 + random.nextGaussian();
			m[i] = i >= 32 ? f[i - 32] + 0.1 * random.nextGaussian() : 1e6 + random.nextGaussian();
		}
		final Alignment a = Registration.of(ArrayImgs.doubles(f, 30, 26)).subpixel(false).register(ArrayImgs.doubles(m, 30, 26));
		assertArrayEquals(new double[] { 2, 1 }, a.shift());
		final ReferenceNcc definition = new ReferenceNcc(m, new int[] { 30, 26 }, f, new int[] { 30, 26 }, null);
		assertEquals(definition.responses(ReferenceNcc.Form.EXACT, new long[] { 2, 1 }, new int[] { 1, 1 }, true, 0.1)[0], a.score(), 1e-14);
	}

	/** Small noisy images, whose best lag is anywhere: it is the maximum of the definition over all lags with enough overlap. */
	@Test
	void thePeakIsTheMaximumOfTheDefinition() {
		final Random random = new Random(13);
		for (int round = 0; round < 40; round++) {
			final int[] fixed = { 8 + random.nextInt(8), 7 + random.nextInt(8) }, moving = { 8 + random.nextInt(8), 7 + random.nextInt(8) };
			final double share = 0.3 + 0.3 * random.nextDouble(), offset = round % 2 * 1e5;
			final double[] f = random.doubles((long) fixed[0] * fixed[1]).map(v -> offset + v).toArray(), m = random.doubles((long) moving[0] * moving[1]).toArray();
			final int[] count = { fixed[0] + moving[0] - 1, fixed[1] + moving[1] - 1 };
			final double[] all = new ReferenceNcc(m, moving, f, fixed, null).responses(ReferenceNcc.Form.AFFORDABLE, new long[] { 1 - fixed[0], 1 - fixed[1] }, count, true, 0);
			final double least = share * Math.min(fixed[0], moving[0]) * Math.min(fixed[1], moving[1]);
			int best = -1;
			for (int i = 0; i < all.length; i++) {
				final int x = i % count[0] + 1 - fixed[0], y = i / count[0] + 1 - fixed[1];
				final double overlap = (double) (Math.min(fixed[0], moving[0] - x) - Math.max(0, -x)) * (Math.min(fixed[1], moving[1] - y) - Math.max(0, -y));
				if (overlap >= least && (best < 0 || all[i] > all[best])) best = i;
			}
			final Alignment a = Registration.of(ArrayImgs.doubles(f, fixed[0], fixed[1])).minOverlap(share).subpixel(false).register(ArrayImgs.doubles(m, moving[0], moving[1]));
			assertArrayEquals(new double[] { best % count[0] + 1 - fixed[0], best / count[0] + 1 - fixed[1] }, a.shift(), "round " + round);
			assertEquals(all[best], a.score(), 1e-12);
		}
	}

	@Test
	void periodicPatternsReportTheirRunnerUp() {
		final byte[] stripes = new byte[96 * 64];
		for (int i = 0; i < stripes.length; i++) stripes[i] = (byte) (100 + 50 * Math.sin(2 * Math.PI * (i % 96) / 12) * Math.cos(2 * Math.PI * (i / 96) / 16));
		final Alignment a = Registration.of(ArrayImgs.unsignedBytes(stripes, 96, 64)).peaks(4).register(ArrayImgs.unsignedBytes(stripes, 96, 64));
		assertArrayEquals(new double[] { 0, 0 }, a.shift(), 0.01);
		assertTrue(a.runnerUp() > 0.999, "runner-up " + a.runnerUp());
		assertEquals(4, a.peaks().size());
	}

	@Test
	void pixelsThatAreNotFiniteDoNotCount() {
		final float[] f = moved(0, 0, 90, 80), m = moved(24, -16, 90, 80);
		for (int i = 0; i < 600; i++) f[i] = Float.NaN;
		m[4000] = Float.POSITIVE_INFINITY;
		assertArrayEquals(new double[] { 3, -2 }, Registration.of(ArrayImgs.floats(f, 90, 80)).register(ArrayImgs.floats(m, 90, 80)).shift(), 0.01);
	}

	/** The numerator has the error of a transform in float. A bright pixel, an offset or a small contrast must not move the peak. */
	@Test
	void imagesThatAreHardForFloats() {
		final double[][] scales = { { 1e6, 3 }, { 0, 1e-30 }, { 1e300, 1e290 } };
		for (final double[] s : scales) {
			final double[] f = scaled(moved(0, 0, 90, 80), s), m = scaled(moved(40, 16, 90, 80), s);
			assertArrayEquals(new double[] { 5, 2 }, Registration.of(ArrayImgs.doubles(f, 90, 80)).register(ArrayImgs.doubles(m, 90, 80)).shift(), 0.01, "scale " + s[1]);
		}
		final float[] f = moved(0, 0, 90, 80), m = moved(40, 16, 90, 80);
		f[17 * 90 + 30] = 2000;
		m[61 * 90 + 8] = 3000;
		final RandomAccessibleInterval<FloatType> mask = ArrayImgs.floats(90, 80), other = ArrayImgs.floats(90, 80);
		for (final FloatType p : Views.iterable(mask)) p.set(1);
		for (final FloatType p : Views.iterable(other)) p.set(1);
		mask.getAt(30, 17).set(0);
		other.getAt(8, 61).set(0);
		assertArrayEquals(new double[] { 5, 2 }, Registration.of(ArrayImgs.floats(f, 90, 80)).fixedMask(mask).movingMask(other)
			.register(ArrayImgs.floats(m, 90, 80)).shift(), 0.01);
	}

	private static double[] scaled(final float[] texture, final double[] offsetScale) {
		final double[] to = new double[texture.length];
		for (int i = 0; i < to.length; i++) to[i] = offsetScale[0] + offsetScale[1] * texture[i];
		return to;
	}

	/** Overlap and minimum overlap are shares of the same number: the pixels that count. */
	@Test
	void theOverlapUnderAMaskIsAShareOfThePixelsThatCount() {
		final RandomAccessibleInterval<UnsignedByteType> image = noise(15, 60, 40), mask = ArrayImgs.unsignedBytes(60, 40);
		for (final UnsignedByteType p : Views.iterable(Views.interval(mask, Intervals.createMinSize(0, 0, 30, 40)))) p.set(1);
		final Alignment same = Registration.of(image).fixedMask(mask).movingMask(mask).peaks(5).register(image);
		assertEquals(1, same.overlap());
		for (final Alignment.Peak p : same.peaks()) assertTrue(p.overlap() > Registration.MIN_OVERLAP - 1e-3, p.toString());
	}

	@Test
	void theMaximumShiftHolds() {
		final RandomAccessibleInterval<FloatType> f = ArrayImgs.floats(moved(0, 0, 90, 80), 90, 80), m = ArrayImgs.floats(moved(40, 16, 90, 80), 90, 80);
		assertArrayEquals(new double[] { 0, 0 }, Registration.of(f).maxShift(0, 0).register(m).shift());
		final Alignment at = Registration.of(f).maxShift(4, 10).register(m);
		assertTrue(at.edge() && Math.abs(at.shift()[0]) <= 4);
	}

	/** Two steps of progress, a cancellation before each, and the same result on one thread and on several. */
	@Test
	void theMonitorSeesStepsAndCancels() {
		final Img<FloatType> fixed = ArrayImgs.floats(64, 48), moving = ArrayImgs.floats(64, 48);
		final Random random = new Random(3);
		fixed.forEach(p -> p.set(random.nextFloat()));
		for (int y = 0; y < 48; y++) for (int x = 0; x < 64; x++) moving.getAt(x, y).set(fixed.getAt((x + 61) % 64, (y + 2) % 48).get());
		final List<Alignment> found = new ArrayList<>();
		for (final int threads : new int[] { 1, 4 }) {
			final List<String> seen = new ArrayList<>();
			final Registration op = Registration.of(fixed).backend("cpu").threads(threads).monitor(new Monitor() {

				@Override
				public void total(final long steps) {
					seen.add("total " + steps);
				}

				@Override
				public void done(final long steps) {
					seen.add("done " + steps);
				}
			});
			found.add(op.register(moving));
			found.add(op.register(moving));
			assertEquals(List.of("total 2", "done 1", "done 1", "total 2", "done 1", "done 1"), seen);
		}
		for (int i = 0; i < 2; i++) assertEquals(found.get(i), found.get(i + 2));
		assertEquals(3, found.get(0).shift()[0], 0.01);
		for (int steps = 0; steps < 2; steps++) {
			final int most = steps;
			final AtomicInteger done = new AtomicInteger();
			final Registration op = Registration.of(fixed).backend("cpu").monitor(new Monitor() {

				@Override
				public void done(final long more) {
					done.incrementAndGet();
				}

				@Override
				public boolean canceled() {
					return done.get() >= most;
				}
			});
			assertThrows(CancellationException.class, () -> op.register(moving));
			assertEquals(most, done.get());
		}
		refuses("the number of threads is 0", () -> Registration.of(fixed).threads(0));
	}

	@Test
	void badInputIsRefusedInOneLine() {
		final RandomAccessibleInterval<UnsignedByteType> image = noise(12, 40, 30), flat = ArrayImgs.unsignedBytes(40, 30);
		refuses("the moving image of 40x30 is flat", () -> Registration.of(image).register(flat));
		refuses("the fixed image of 40x30 is flat", () -> Registration.of(flat).register(image));
		refuses("the mask of the fixed image of 40x30 is 0 everywhere", () -> Registration.of(image).fixedMask(flat).register(image));
		refuses("the mask of the moving image is 40x29, and the image is 40x30", () -> Registration.of(image).movingMask(ArrayImgs.unsignedBytes(40, 29)).register(image));
		refuses("the maximum shift has 3 numbers, the images have 2 dimensions", () -> Registration.of(image).maxShift(1, 2, 3));
		refuses("the maximum shift is -1 pixels", () -> Registration.of(image).maxShift(1, -1));
		refuses("the minimum overlap is 0.0", () -> Registration.of(image).minOverlap(0));
		refuses("the fixed image has 2 dimensions, the moving image has 3", () -> Registration.of(image).register(noise(1, 4, 4, 4)));
		refuses("an image of 4 dimensions cannot be registered", () -> Registration.of(noise(1, 4, 4, 4, 4)));
	}

	private static void refuses(final String message, final Executable call) {
		final String said = assertThrows(IllegalArgumentException.class, call).getMessage();
		assertTrue(said.startsWith(message) && said.matches(".*(give|select).*") && !said.contains("\n"), said);
	}

	/** Of pairs of noise, few are not recognised; of pairs with common content, none is doubtful, with much noise and with periodic parts too. */
	@Test
	@Tag("slow")
	void noiseIsDoubtfulAndContentIsNot() {
		int missed = 0, wrong = 0, weak = 0;
		final int pairs = 120, n = 64;
		for (int seed = 0; seed < pairs; seed++) {
			final Random random = new Random(seed);
			final float[][] all = new float[4][n * n];
			for (final float[] image : all) for (int i = 0; i < image.length; i++) image[i] = (float) random.nextGaussian();
			if (!Registration.of(ArrayImgs.floats(all[0], n, n)).register(ArrayImgs.floats(all[1], n, n)).doubtful()) missed++;
			final float[] a = new float[n * n], b = new float[n * n], c = new float[n * n];
			for (int y = 0; y < n; y++) for (int x = 0; x < n; x++) {
				final int i = y * n + x;
				final float content = all[2][i], moved = x < 3 || y < 2 ? all[3][i] : all[2][i - 2 * n - 3];
				a[i] = content;
				b[i] = moved + 0.5f * all[0][i];
				c[i] = moved + 1.5f * all[1][i];
			}
			if (Registration.of(ArrayImgs.floats(a, n, n)).register(ArrayImgs.floats(b, n, n)).doubtful()) wrong++;
			if (Registration.of(ArrayImgs.floats(a, n, n)).register(ArrayImgs.floats(c, n, n)).doubtful()) weak++;
		}
		assertTrue(missed <= 4, "noise that counts as measured: " + missed + " of " + pairs);
		assertEquals(0, wrong);
		assertEquals(0, weak);
	}

	/**
	 * Smooth images have few independent details, so different ones fit well somewhere. Of forty pairs, one may pass by chance. Most scenes with other
	 * noise are found.
	 */
	@Test
	void smoothImagesOfDifferentScenesAreDoubtful() {
		final int n = 96;
		int passed = 0, byRunnerUp = 0, missed = 0;
		for (int seed = 0; seed < 40; seed++) {
			final float[] a = smooth(seed, n), b = smooth(1000 + seed, n), c = a.clone();
			final Random random = new Random(seed);
			for (int i = 0; i < c.length; i++) c[i] += 0.1f * (float) random.nextGaussian();
			for (int i = 0; i < a.length; i++) a[i] += 0.1f * (float) random.nextGaussian();
			final Alignment other = Registration.of(ArrayImgs.floats(a, n, n)).register(ArrayImgs.floats(b, n, n));
			if (!other.doubtful()) passed++;
			if (other.runnerUp() < 0.8 * other.score()) byRunnerUp++;
			if (other.doubtful()) assertTrue(other.falseAlarms() > 0.01 && other.doubt().matches("(no overlap found: too little|ambiguous: the runner).*"),
				other.doubt());
			final Alignment same = Registration.of(ArrayImgs.floats(a, n, n)).register(ArrayImgs.floats(c, n, n));
			if (same.doubtful()) missed++;
			else assertTrue(same.falseAlarms() <= 0.01 && same.doubt().isEmpty(), same.toString());
		}
		assertTrue(passed <= 1, "different scenes that count: " + passed);
		assertTrue(byRunnerUp >= 5, "the runner-up alone would let some pass: " + byRunnerUp);
		assertTrue(missed <= 6, "equal scenes that do not count: " + missed);
	}

	/** Ten wide spots. */
	private static float[] smooth(final int seed, final int n) {
		final Random random = new Random(seed);
		final float[] image = new float[n * n];
		for (int s = 0; s < 10; s++) {
			final double x = n * random.nextDouble(), y = n * random.nextDouble(), sigma = 8 + 6 * random.nextDouble();
			for (int i = 0; i < image.length; i++) image[i] += (float) Math.exp(-0.5 * (Math.pow(i % n - x, 2) + Math.pow(i / n - y, 2)) / (sigma * sigma));
		}
		return image;
	}
}
