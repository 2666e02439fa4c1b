package sc.fiji.ncc.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Random;
import java.util.concurrent.ForkJoinPool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.TemplateMatching;

/** A search with one thread computes its backgrounds without the common pool of the JVM. */
@Isolated
class BackgroundThreadsTest {

	private static Img<UnsignedByteType> noise(final long seed, final long... size) {
		final Img<UnsignedByteType> image = ArrayImgs.unsignedBytes(size);
		final Random random = new Random(seed);
		image.forEach(p -> p.set(random.nextInt(256)));
		return image;
	}

	private static long tasks() {
		return ForkJoinPool.commonPool().getStealCount();
	}

	@Test
	void matches() {
		final long before = tasks();
		final NormalizedCrossCorrelation one = NormalizedCrossCorrelation.of(noise(1, 12, 12)).threads(1);
		assertFalse(TemplateMatching.with(one).falseAlarms(1).find(noise(2, 300, 300)).backgrounds().isEmpty());
		assertEquals(before, tasks());
	}

	@Test
	void poses() {
		final long before = tasks();
		PoseSearch.of(noise(1, 12, 12)).angles(0, 45).falseAlarms(1).threads(1).find(noise(2, 120, 120));
		assertEquals(before, tasks());
	}
}
