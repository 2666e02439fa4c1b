package sc.fiji.ncc.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.parts.MatchParts;

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

	/** The choice among the maxima that several processes have found. */
	@Test
	void matchesOfParts() {
		final NormalizedCrossCorrelation one = NormalizedCrossCorrelation.of(noise(1, 12, 12)).threads(1);
		try (MatchParts parts = TemplateMatching.with(one).falseAlarms(1).parts(noise(2, 300, 300))) {
			final List<MatchParts.Maxima> maxima = LongStream.range(0, parts.count()).mapToObj(i -> parts.maxima(i).join()).toList();
			final long before = tasks();
			assertFalse(parts.matches(maxima, parts::scores).get(0).minScores().backgrounds().isEmpty());
			assertEquals(before, tasks());
		}
	}

	@Test
	void poses() {
		final long before = tasks();
		PoseSearch.of(noise(1, 12, 12)).angles(0, 45).falseAlarms(1).threads(1).find(noise(2, 120, 120));
		assertEquals(before, tasks());
	}
}
