package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.plan.Size;

/** The expected number of peaks by chance, for windows of noise. */
class WindowChanceTest {

	private static final int SIDE = 24;
	private static final double SHIFTS = 169;

	private static Img<UnsignedByteType> noise(final int seed) {
		final Random random = new Random(seed);
		final Img<UnsignedByteType> noise = ArrayImgs.unsignedBytes(SIDE, SIDE);
		noise.forEach(p -> p.set(random.nextInt(256)));
		return noise;
	}

	/** @param rows those that are present; the others hold other values */
	private static ImagePixels frame(final int seed, final int rows, final int others) {
		final Img<UnsignedByteType> frame = noise(seed), mask = ArrayImgs.unsignedBytes(SIDE, SIDE);
		for (int y = 0; y < SIDE; y++) for (int x = 0; x < SIDE; x++) {
			if (y < rows) mask.getAt(x, y).set(1);
			else frame.getAt(x, y).set(others);
		}
		return new MissingPixels(mask, NaNs.UNDEFINED).in(frame, 0);
	}

	private static double alarms(final double score, final ImagePixels... pairs) {
		final WindowChance chance = new WindowChance();
		for (int i = 0; i < pairs.length; i += 2)
			chance.add(new WindowSearch.Pair(pairs[i], pairs[i + 1], null), new long[2], new long[2], Size.of(SIDE, SIDE));
		return chance.falseAlarms(2, score, SHIFTS);
	}

	/** Each pair has its own details, and shows the same shifts. */
	@Test
	void pairsAddTheirDetails() {
		final ImagePixels a = ImagePixels.of(noise(1)), b = ImagePixels.of(noise(2));
		final double one = alarms(0.2, a, b), two = alarms(0.2, a, b, a, b);
		assertTrue(two < 0.01 * one, one + ", " + two);
		// a score of 0 is as likely as any: as many as there are independent shifts
		assertEquals(alarms(0, a, b), alarms(0, a, b, a, b), 1e-9);
		assertTrue(alarms(0, a, b) > 0.7 * SHIFTS && alarms(0, a, b) <= SHIFTS);
		assertTrue(Double.isNaN(alarms(0.2)));
	}

	/** What is missing in either frame has no details, whatever its pixels are. */
	@Test
	void missingPixelsHaveNoDetails() {
		final double whole = alarms(0.2, frame(1, SIDE, 0), frame(2, SIDE, 0)), half = alarms(0.2, frame(1, SIDE / 2, 0), frame(2, SIDE / 2, 0));
		assertTrue(half > 10 * whole, whole + ", " + half);
		assertEquals(half, alarms(0.2, frame(1, SIDE / 2, 255), frame(2, SIDE / 2, 17)), 1e-12);
		for (final double one : new double[] { alarms(0.2, frame(1, SIDE, 0), frame(2, SIDE / 2, 0)), alarms(0.2, frame(1, SIDE / 2, 0), frame(2, SIDE, 0)) })
			assertTrue(one > half / 2 && one < 2 * half, half + ", " + one);
	}
}
