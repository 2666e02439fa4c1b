package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Dimension;
import java.awt.Point;
import java.awt.Rectangle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.command.imagej.FreePlace.Shown;

/** Places of windows, on screens that need not exist. */
class FreePlaceTest {

	/** A small notebook. */
	private static final Rectangle SCREEN = new Rectangle(0, 0, 1366, 768);
	private static final Rectangle IMAGEJ = new Rectangle(597, 0, 611, 108), STACK = new Rectangle(597, 113, 268, 324), TABLE = new Rectangle(43, 113, 546, 460);

	private static Shown important(final Rectangle bounds) {
		return new Shown(bounds, FreePlace.IMPORTANT);
	}

	private static List<Shown> desktop() {
		return List.of(important(STACK), important(IMAGEJ), new Shown(TABLE, 1));
	}

	private static Rectangle placed(final Dimension window, final List<Shown> others) {
		return new Rectangle(FreePlace.of(window, SCREEN, others), window);
	}

	@Test
	void aGraphTakesTheLargestSizeThatCoversNothing() {
		final List<Dimension> sizes = List.of(new Dimension(672, 442), new Dimension(572, 392), new Dimension(492, 342));
		assertEquals(sizes.get(1), FreePlace.size(sizes, SCREEN, List.of(important(STACK))));
		assertEquals(sizes.get(2), FreePlace.size(sizes, SCREEN, desktop()));
		final Rectangle graph = placed(sizes.get(2), desktop());
		assertEquals(0, FreePlace.covered(graph, desktop()), graph.toString());
		// nothing is free
		assertEquals(sizes.get(2), FreePlace.size(sizes, SCREEN, List.of(important(SCREEN))));
	}

	/** Where something must be covered, it is a table, although that covers more. */
	@Test
	void imagesMatterMoreThanTables() {
		final List<Shown> all = List.of(important(new Rectangle(0, 0, 683, 768)), new Shown(new Rectangle(683, 0, 683, 768), 1));
		final Rectangle window = placed(new Dimension(700, 768), all);
		assertEquals(new Rectangle(666, 0, 700, 768), window);
		final List<Shown> equal = List.of(new Shown(new Rectangle(0, 0, 683, 768), 1), new Shown(new Rectangle(683, 0, 683, 768), 1));
		assertEquals(0, placed(new Dimension(700, 768), equal).x);
	}

	/** If there is a free place with the gap around it, it is found. */
	@Test
	void freePlacesAreFound() {
		final Random random = new Random(7);
		final Rectangle screen = new Rectangle(10, 5, 120, 90);
		int free = 0;
		for (int trial = 0; trial < 200; trial++) {
			final List<Shown> others = new ArrayList<>();
			for (int i = 0; i < 3; i++) others.add(new Shown(new Rectangle(10 + random.nextInt(100), 5 + random.nextInt(70),
				10 + random.nextInt(50), 10 + random.nextInt(40)),
				1 + random.nextInt(8)));
			final Dimension window = new Dimension(20 + random.nextInt(40), 15 + random.nextInt(30));
			final Rectangle found = new Rectangle(FreePlace.of(window, screen, others), window);
			assertTrue(screen.contains(found), found.toString());
			if (!isFree(window, screen, others)) continue;
			free++;
			assertEquals(0, FreePlace.covered(found, others), found + " " + others);
		}
		assertTrue(free > 50 && free < 150, free + " of 200");
	}

	private static boolean isFree(final Dimension window, final Rectangle screen, final List<Shown> others) {
		for (int x = screen.x; x <= screen.x + screen.width - window.width; x++)
			for (int y = screen.y; y <= screen.y + screen.height - window.height; y++) {
				final Rectangle with = new Rectangle(new Point(x, y), window);
				with.grow(FreePlace.GAP, FreePlace.GAP);
				if (FreePlace.covered(with, others) == 0) return true;
			}
		return false;
	}
}
