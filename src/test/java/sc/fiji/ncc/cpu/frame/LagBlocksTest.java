package sc.fiji.ncc.cpu.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cpu.frame.FrameCorrelator.Search;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.PairPeaks;

/** Pairs that are transformed block by block have the peaks of whole frames. */
class LagBlocksTest {

	private static final double WORK = 1 << 28;
	private static final int PEAKS = 4;

	/** Random pixels of which neighbours along x resemble each other. */
	private static short[] scene(final int n, final Random random) {
		final short[] scene = new short[n];
		for (int i = 0, v = 0; i < n; i++) scene[i] = (short) (2000 + (v = v / 2 + random.nextInt(400)));
		return scene;
	}

	/** A box of a scene of the given extents, with noise of its own. */
	private static FramePixels part(final short[] scene, final int[] extents, final int[] from, final int[] size, final int gain, final Random random) {
		final short[] pixels = new short[size[0] * size[1] * size[2]];
		for (int z = 0, i = 0; z < size[2]; z++) for (int y = 0; y < size[1]; y++) for (int x = 0; x < size[0]; x++, i++)
			pixels[i] = (short) (gain * (scene[((from[2] + z) * extents[1] + from[1] + y) * extents[0] + from[0] + x] + random.nextInt(100)));
		return FramePixels.of(size, PixelType.U16, ShortBuffer.wrap(pixels), null);
	}

	private static FrameCorrelator correlator(final int[] f, final int[] m, final long[] most, final Search how) {
		return new FrameCorrelator(f, m, new FrameCorrelator.Lags(most, 0.1), PEAKS, true, how, WORK);
	}

	private static PairPeaks[] peaks(final FrameCorrelator correlator, final FramePixels... pixels) {
		final TransformedFrame[] a = correlator.transform(pixels[0], pixels.length > 2 ? pixels[2] : null), b = correlator.transform(pixels[1],
			pixels.length > 2 ? pixels[3] : null);
		return correlator.correlate(a[0], b[0], pixels.length > 2 ? a[1] : null, pixels.length > 2 ? b[1] : null);
	}

	/** The second pair of a scene with eight times the contrast shares the inverse transform. */
	@ParameterizedTest
	@CsvSource({ "500,30,1, 500,45,1, 12,15,0", "40,600,1, 52,600,1, 9,11,0", "300,290,1, 310,290,1, 10,4,0", "90,70,40, 97,64,44, 5,4,3",
		"64,20,90, 64,20,90, 0,3,5",
		"200,64,1, 200,200,1, 5,150,0" })
	void blocksHaveThePeaksOfWholeFrames(final int fx, final int fy, final int fz, final int mx, final int my, final int mz,
		final int sx, final int sy, final int sz) {
		final int[] f = { fx, fy, fz }, m = { mx, my, mz }, extents = { mx + 40, my + 40, mz + 40 }, shift = { sx / 2, -sy / 3, sz / 2 };
		final long[] most = { sx, sy, sz };
		final Random random = new Random(fx + mz);
		final short[] scene = scene(extents[0] * extents[1] * extents[2], random);
		final int[] a = { 20, 20, 20 }, b = new int[3];
		for (int d = 0; d < 3; d++) b[d] = a[d] - shift[d];
		final FramePixels[] pixels = { part(scene, extents, a, f, 1, random), part(scene, extents, b, m, 1, random), part(scene, extents, b, f, 8, random),
			part(scene, extents, b, m, 8, random) };
		final FrameCorrelator once = correlator(f, m, most, Search.ONCE), whole = correlator(f, m, most, Search.WHOLE);
		assertEquals(0, once.frameWork(), "blocks are used");
		assertTrue(once.pairWork() < 3 * whole.pairWork());
		final PairPeaks[] expected = peaks(whole, pixels), both = peaks(once, pixels);
		for (int i = 0; i < 2; i++) {
			assertArrayEquals(i == 0 ? shift : new int[3], both[i].best().lag());
			assertEquals(expected[i].peaks().size(), both[i].peaks().size());
			for (int k = 0; k < both[i].peaks().size(); k++) {
				assertArrayEquals(expected[i].peaks().get(k).lag(), both[i].peaks().get(k).lag());
				assertEquals(expected[i].peaks().get(k).score(), both[i].peaks().get(k).score());
			}
			assertArrayEquals(expected[i].best().shift(), both[i].best().shift(), 1e-4);
		}
		assertArrayEquals(both[0].best().shift(), peaks(once, pixels[0], pixels[1])[0].best().shift(), 1e-4);
	}

	/** Both frames share a transform, so the contrast of one must not drown that of the other. */
	@ParameterizedTest
	@CsvSource({ "1", "1e-3", "1e4" })
	void numeratorsAreExactUpToRounding(final double contrast) {
		final int[] f = { 100, 50, 3 }, m = { 107, 48, 4 };
		final Random random = new Random(3);
		final short[] a = new short[f[0] * f[1] * f[2]], b = new short[m[0] * m[1] * m[2]];
		for (int i = 0; i < a.length; i++) a[i] = (short) (contrast < 1 ? random.nextInt(60000) : random.nextInt(3));
		for (int i = 0; i < b.length; i++) b[i] = (short) (contrast > 1 ? random.nextInt(60000) : random.nextInt(3));
		final FramePixels one = FramePixels.of(f, PixelType.U16, ShortBuffer.wrap(a), null), two = FramePixels.of(m, PixelType.U16, ShortBuffer.wrap(b), null);
		final LagRange range = LagRange.of(f, m, new long[] { 4, 3, 1 }, 0.1);
		final LagBlocks blocks = new LagBlocks(new int[] { 48, 24, 4 }, new int[] { 40, 18, 2 }, new int[] { 3, 3, 2 });
		final SpectrumTransform transform = new SpectrumTransform(blocks.points());
		transform.correlate(blocks, range, one, two, one, two);
		final double norms = Math.sqrt(one.energy() * two.energy());
		for (int z = -1; z <= 1; z++) for (int y = -3; y <= 3; y++) for (int x = -4; x <= 4; x++)
			for (int pair = 0; pair < 2; pair++)
				assertEquals(product(one, two, new int[] { x, y, z }), transform.row(pair, y, z)[Math.floorMod(x, 48)], 3e-7 * norms, x + " " + y + " " + z);
	}

	private static double product(final FramePixels f, final FramePixels m, final int[] lag) {
		double sum = 0;
		for (int i = 0; i < f.count(); i++) {
			final int x = i % f.extent(0) + lag[0], y = i / f.extent(0) % f.extent(1) + lag[1], z = i / f.extent(0) / f.extent(1) + lag[2];
			if (x >= 0 && y >= 0 && z >= 0 && x < m.extent(0) && y < m.extent(1) && z < m.extent(2))
				sum += (double) f.deviations()[i] * m.deviations()[(z * m.extent(1) + y) * m.extent(0) + x];
		}
		return sum;
	}

	/** Frames with missing pixels are transformed as a whole, beside pairs in blocks. */
	@Test
	void missingPixels() {
		final int[] size = { 400, 30, 1 }, extents = { 440, 70, 1 };
		final Random random = new Random(4);
		final short[] scene = scene(extents[0] * extents[1], random);
		final float[] holes = new float[size[0] * size[1]];
		for (int i = 0; i < holes.length; i++) holes[i] = i % 97 == 0 ? Float.NaN : scene[(20 + i / size[0]) * extents[0] + 20 + i % size[0]];
		final FramePixels masked = FramePixels.of(size, PixelType.F32, FloatBuffer.wrap(holes), null);
		final FramePixels a = part(scene, extents, new int[] { 16, 23, 0 }, size, 1, random);
		final FrameCorrelator correlator = correlator(size, size, new long[] { 8, 8, 0 }, Search.ONCE);
		final PairPeaks[] found = peaks(correlator, masked, a, a, a);
		assertArrayEquals(new int[] { 4, -3, 0 }, found[0].best().lag());
		assertArrayEquals(new int[3], found[1].best().lag());
		final FramePixels flat = FramePixels.of(size, PixelType.U16, ShortBuffer.wrap(new short[size[0] * size[1]]), null);
		assertFalse(peaks(correlator, a, flat)[0].isFound());
	}
}
