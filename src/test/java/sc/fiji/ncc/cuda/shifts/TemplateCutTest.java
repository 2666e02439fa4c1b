package sc.fiji.ncc.cuda.shifts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cuda.CudaSmallShifts;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Kind;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Part;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Shape;
import sc.fiji.ncc.plan.Size;

/** Templates in parts, without a GPU: every pixel is in one tile, and blocks hold what they are given. */
class TemplateCutTest {

	private static final int SHARED = 96 << 10;

	@Test
	void everyPixelIsInOneTile() {
		final Random random = new Random(3);
		for (int i = 0; i < 300; i++) {
			final Kind kind = Kind.values()[i % 3];
			final List<Size> templates = new ArrayList<>();
			for (int t = random.nextInt(3); t >= 0; t--) templates.add(Size.of(1 + random.nextInt(i % 7 == 0 ? 320 : 60), 1 + random.nextInt(i % 5 == 0 ? 220 : 50)));
			final int lagsX = 1 + random.nextInt(64), lagsY = 1 + random.nextInt(64), processors = 1 + random.nextInt(140);
			final Shape tile = new Shape(1 + random.nextInt(32), 4 * (1 + random.nextInt(2)));
			final boolean own = i % 2 == 0;
			final TemplateCut cut = new TemplateCut(kind, templates, lagsX, lagsY, own ? tile : null,
				own ? CudaSmallShifts.down(kind, lagsY) : TemplateCut.GENERAL_DOWN, processors);
			check(cut, templates, lagsX, lagsY);
			assertEquals(own ? 2 + 2 * cut.shapes.size() : 0, cut.options().length);
		}
	}

	private static void check(final TemplateCut cut, final List<Size> templates, final int lagsX, final int lagsY) {
		final int threadsOfTile = (lagsX + 3) / 4 * ((lagsY + cut.down - 1) / cut.down);
		assertTrue(cut.threads <= 256 && cut.shared <= SHARED, cut.threads + " threads, " + cut.shared + " bytes");
		int last = 0;
		for (int t = 0; t < templates.size(); t++) {
			final int width = (int) templates.get(t).get(0), height = (int) templates.get(t).get(1);
			final int[] times = new int[width * height];
			for (final Part p : cut.parts) {
				if (p.template() != t) continue;
				// those of a template lie together
				assertTrue(cut.parts.indexOf(p) >= last);
				assertTrue(cut.shapes.contains(p.shape()), "a shape without code: " + p);
				assertTrue(p.across() * p.down() * p.frames() * threadsOfTile <= cut.threads, "too many threads: " + p);
				assertTrue(p.tiles() > (p.steps() - 1) * p.down() && p.tiles() <= p.steps() * p.down(), "steps without work, or too few: " + p);
				assertTrue(p.x() % 4 == 0 && (p.across() == 1 || p.shape().columns() % 4 == 0), "pixels between quads: " + p);
				if (cut.kind == Kind.SHORTS) assertTrue(p.steps() * p.shape().rows() * p.shape().columns() <= TemplateCut.MAX_PIXELS, "sums overflow: " + p);
				for (int y = 0; y < p.tiles() * p.shape().rows(); y++)
					for (int x = 0; x < p.across() * p.shape().columns(); x++) times[(p.y() + y) * width + p.x() + x]++;
			}
			assertTrue(Arrays.stream(times).allMatch(n -> n == 1), "template of " + templates.get(t));
			final int which = t;
			last += (int) cut.parts.stream().filter(p -> p.template() == which).count();
		}
		assertEquals(cut.parts.size(), last);
	}
}
