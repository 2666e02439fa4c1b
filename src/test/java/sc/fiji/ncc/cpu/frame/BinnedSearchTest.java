package sc.fiji.ncc.cpu.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.PixelType;

/** The search with binned frames finds what the transform of whole frames finds, or nothing. */
class BinnedSearchTest {

	private static final int W = 190, H = 150;
	private static final int[] SIZE = { W, H, 1 };
	/** Bytes for transforms. */
	private static final double WORK = 1 << 28;
	private static final long[] ANY = { W, H, 0 }, SMALL = { 24, 20, 0 };
	private static final DriftTexture TEXTURE = new DriftTexture(340, 300, 1.3, 3);

	private static FramePixels texture(final int dx, final int dy, final double photons, final Random random) {
		return FramePixels.of(SIZE, PixelType.U16, ShortBuffer.wrap(DriftTexture.photons(TEXTURE.frame(640 - dx, 640 - dy, W, H), photons, 0.3, random)), null);
	}

	private static FramePixels bytes(final byte[] pixels) {
		return FramePixels.of(SIZE, PixelType.U8, ByteBuffer.wrap(pixels), null);
	}

	private static PairPeaks peaks(final FrameCorrelator correlator, final FramePixels f, final FramePixels m) {
		final TransformedFrame[] both = correlator.transform(f, m);
		return correlator.correlate(both[0], both[1], null, null)[0];
	}

	private static BinnedSearch.Found search(final FramePixels f, final FramePixels m, final long[] most) {
		final BinnedSearch search = BinnedSearch.of(f.size(), m.size(), LagRange.of(f.size(), m.size(), most, 1.0 / 3), 1.0 / 3, WORK);
		final TransformedFrame[] binned = search.transform(f, m);
		final TransformedFrame fixed = new TransformedFrame(f, binned[0]), moving = new TransformedFrame(m, binned[1]);
		return search.find(fixed, moving, search.peaks(fixed, moving, null, null).get(0), new LagWindow());
	}

	private static PairPeaks[] both(final FramePixels f, final FramePixels m, final long[] most) {
		return new PairPeaks[] { peaks(new FrameCorrelator(f.size(), m.size(), new FrameCorrelator.Lags(most, 1.0 / 3), 1, true,
			FrameCorrelator.Search.BINNED, WORK), f, m),
			peaks(FrameCorrelator.whole(f.size(), m.size(), most, 1.0 / 3, 1, true, WORK), f, m) };
	}

	@Test
	void texturesWithNoiseHaveTheSameShift() {
		final Random random = new Random(4);
		for (final double photons : new double[] { 20, 200, 1000 })
			for (int i = 0; i < 12; i++) {
				final boolean far = i % 2 == 0;
				final int dx = random.nextInt(far ? 800 : 160) - (far ? 400 : 80), dy = random.nextInt(far ? 600 : 120) - (far ? 300 : 60);
				final FramePixels f = texture(0, 0, photons, random), m = texture(dx, dy, 0.3 * photons, random);
				final long[] most = far ? ANY : SMALL;
				assertNotNull(search(f, m, most), "the search answers");
				final PairPeaks[] both = both(f, m, most);
				final String what = photons + " photons, " + dx + " " + dy;
				assertArrayEquals(both[1].best().shift(), both[0].best().shift(), 0.01, what);
				// between two pixels, either lag can be the better one in a part of the rows
				assertEquals(both[1].best().score(), both[0].best().score(), 0.01, what);
				assertEquals(both[1].runnerUp(), both[0].runnerUp(), 0.2, what);
				assertEquals(dx / 8.0, both[0].best().shift()[0], photons < 100 ? 0.3 : 0.08, what);
			}
	}

	/** Bins keep a sixteenth of white noise. */
	@Test
	void fineTexturesGoToTheTransformOfWholeFrames() {
		final Random random = new Random(5);
		final byte[] all = new byte[300 * 260];
		random.nextBytes(all);
		for (final int[] shift : new int[][] { { 0, 0 }, { 2, -1 }, { 57, 30 }, { -3, 50 } }) {
			final FramePixels f = bytes(part(all, 60, 60)), m = bytes(part(all, 60 - shift[0], 60 - shift[1]));
			assertNull(search(f, m, ANY));
			final PairPeaks[] both = both(f, m, ANY);
			assertArrayEquals(new int[] { shift[0], shift[1], 0 }, both[0].best().lag());
			assertEquals(1, both[0].best().score());
			assertEquals(both[1].runnerUp(), both[0].runnerUp(), 1e-6);
		}
	}

	private static byte[] part(final byte[] all, final int x, final int y) {
		final byte[] part = new byte[W * H];
		for (int j = 0; j < H; j++) System.arraycopy(all, (y + j) * 300 + x, part, j * W, W);
		return part;
	}

	@Test
	void periodicPatternsReportTheirRunnerUp() {
		for (final double period : new double[] { 3, 5.5, 12, 31 }) {
			final byte[] stripes = new byte[W * H];
			for (int i = 0; i < stripes.length; i++) stripes[i] = (byte) (100 + 50 * Math.sin(2 * Math.PI * (i % W) / period) * Math.cos(2 * Math.PI * (i / W) / 16));
			assertNull(search(bytes(stripes), bytes(stripes), ANY), "period " + period);
			assertTrue(both(bytes(stripes), bytes(stripes), ANY)[0].runnerUp() > 0.95, "period " + period);
		}
	}

	/** Content of the camera that does not move, finer than the bins, and stronger than the texture: the definition says shift 0. */
	@Test
	void aFixedPatternIsNotOverlooked() {
		final Random random = new Random(6);
		final float[] a = TEXTURE.frame(640, 640, W, H), b = TEXTURE.frame(640 - 160, 640, W, H);
		for (int i = 0; i < a.length; i++) {
			final float spot = (float) (1.3 * random.nextGaussian());
			a[i] += spot;
			b[i] += spot;
		}
		final FramePixels f = FramePixels.of(SIZE, PixelType.F32, FloatBuffer.wrap(a), null), m = FramePixels.of(SIZE, PixelType.F32, FloatBuffer.wrap(b), null);
		final PairPeaks[] both = both(f, m, ANY);
		assertArrayEquals(new int[3], both[0].best().lag());
		assertEquals(both[1].best().score(), both[0].best().score());
		assertEquals(both[1].runnerUp(), both[0].runnerUp(), 1e-6);
	}

	@Test
	void theEndOfTheRangeAndFramesWithoutLikenessGoToTheTransform() {
		final Random random = new Random(7);
		final FramePixels f = texture(0, 0, 500, random), m = texture(80, 0, 500, random);
		final PairPeaks[] ends = both(f, m, new long[] { 10, 8, 0 });
		assertTrue(ends[0].edge());
		assertArrayEquals(ends[1].best().lag(), ends[0].best().lag());
		final byte[] noise = new byte[W * H], other = new byte[W * H];
		random.nextBytes(noise);
		random.nextBytes(other);
		assertNull(search(bytes(noise), bytes(other), ANY));
		assertArrayEquals(both(bytes(noise), bytes(other), ANY)[1].best().lag(), both(bytes(noise), bytes(other), ANY)[0].best().lag());
		// a dimension without shifts
		final FramePixels still = texture(0, 32, 500, random);
		assertArrayEquals(new int[] { 0, 4, 0 }, both(f, still, new long[] { 0, 20, 0 })[0].best().lag());
	}

	@Test
	void flatFramesHaveNoPeak() {
		final FramePixels f = texture(0, 0, 100, new Random(8)), flat = bytes(new byte[W * H]);
		final FrameCorrelator correlator = new FrameCorrelator(SIZE, SIZE, new FrameCorrelator.Lags(ANY, 1.0 / 3), 1, true, FrameCorrelator.Search.BINNED, WORK);
		final TransformedFrame[] one = correlator.transform(f, flat), two = correlator.transform(flat, f);
		final PairPeaks[] pairs = correlator.correlate(one[0], one[1], one[0], two[1]);
		assertTrue(!pairs[0].isFound() && pairs[1].isFound());
		assertArrayEquals(new int[3], pairs[1].best().lag());
	}

	@Test
	void volumes() {
		final int[] size = { 132, 129, 34 };
		final double[][] shifts = { { 0, 0, 0 }, { 7.3, -4.6, 1.7 } };
		final RandomAccessibleInterval<FloatType> stack = new MovingTexture(3, 9).stack(new FloatType(), shifts, new long[] { size[0], size[1], size[2] }, 100, 10, 2);
		final FramePixels[] frames = new FramePixels[2];
		for (int t = 0; t < 2; t++) {
			final FloatBuffer pixels = FloatBuffer.allocate(size[0] * size[1] * size[2]);
			for (final FloatType p : Views.flatIterable(Views.hyperSlice(stack, 3, t))) pixels.put(p.get());
			frames[t] = FramePixels.of(size, PixelType.F32, pixels, null);
		}
		final long[] most = { 20, 20, 8 };
		assertNotNull(search(frames[0], frames[1], most), "the search answers");
		final PairPeaks[] both = both(frames[0], frames[1], most);
		assertArrayEquals(both[1].best().shift(), both[0].best().shift(), 0.005, Arrays.toString(both[0].best().shift()));
		assertArrayEquals(shifts[1], both[0].best().shift(), 0.01);
	}
}
