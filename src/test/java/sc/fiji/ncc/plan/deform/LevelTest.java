package sc.fiji.ncc.plan.deform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Size;

/** Boxes, windows and areas agree at all levels, in pixels of the frame. */
class LevelTest {

	private static final int[] WINDOWS = { 1, 2, 3, 15, 16, 31, 32, 35, 63, 64, 65, 127, 128, 200 };

	/** No window fewer would reach the border, and each one begins half a window after the one before it. */
	@ParameterizedTest
	@ValueSource(ints = { 200, 201, 333 })
	void windowsReachTheBorderOfTheFrame(final int size) {
		for (final int window : WINDOWS) {
			final Deformations problem = new Deformations(Size.of(size, 400), Size.of(window, 200), 1);
			final long spacing = problem.spacing().get(0), last = problem.area().get(0) - window;
			assertEquals(window == 1 ? 1 : window / 2, spacing);
			assertEquals(0, last % spacing);
			final double before = 0.5 * (window - 1) - problem.beside(0), border = window % 2 == 0 ? -0.5 : 0;
			assertEquals(border, before, "the centre of the first window " + window);
			assertTrue(before + last >= size - 1 - border && before + last - spacing < size - 1 - border, "the centre of the last window " + window);
		}
	}

	@Test
	void boxesAreAsLargeAsWindowsAllow() {
		for (final int window : WINDOWS) {
			final List<Level> levels = Level.of(new Deformations(Size.of(400, 400), Size.of(window, 128), 1));
			for (int l = 0, most = 4; l < levels.size(); l++, most /= 2) {
				final boolean searched = l == levels.size() - 1;
				final int least = searched ? 8 : 16, largest = searched ? 8 : most, box = levels.get(l).box()[0];
				assertTrue(window >= least * box || box == 1, "window " + window + ": " + box);
				assertTrue(box == largest || window < 2 * least * box, "window " + window + ": " + box);
				assertEquals(largest, levels.get(l).box()[1]);
				assertEquals(l == levels.size() - 2, levels.get(l).isWhole());
			}
		}
		assertEquals(2, Level.of(new Deformations(Size.of(99, 99), Size.of(20, 31), 1)).size(), "one level of pixels, and that of the search");
		assertFalse(Level.of(new Deformations(Size.of(99, 99), Size.of(20, 31), 1)).get(1).isWhole());
	}

	/** The place of a vector, and its motion, are those in pixels. */
	@Test
	void boxesLieWhereTheirPixelsDo() {
		for (final int window : WINDOWS) {
			final Deformations problem = new Deformations(Size.of(401, 400), Size.of(window, 128), 1);
			for (final Level level : Level.of(problem)) for (int d = 0; d < 2; d++) {
				final int box = level.box()[d], w = (int) problem.window().get(d), spacing = (int) problem.spacing().get(d);
				assertEquals((problem.area().get(d) - w) / spacing + 1, level.count()[d]);
				assertEquals(problem.frame().get(d) / box, level.frame()[d]);
				for (int i = 0; i < 3; i++) assertEquals(i * spacing + 0.5 * (w - 1), (level.origin()[d] + i * level.distances()[d] + 0.5) * box - 0.5, 1e-9);
				final double pixel = (7 + 0.5) * box - 0.5 - problem.beside(d) + 3.7, moved = level.inFrame(new double[][] { { 3.7 }, { 3.7 } })[d][0];
				assertEquals(pixel, (7 + moved + 0.5) * box - 0.5, 1e-9);
				final TreeSet<Integer> ends = new TreeSet<>();
				for (int at = 0; at + level.window().get(d) <= level.area().get(d); at += (int) level.spacing().get(d))
					ends.addAll(List.of(at, at + (int) level.window().get(d)));
				assertArrayEquals(ends.stream().mapToInt(i -> i).toArray(), level.cuts()[d]);
			}
		}
	}

	@Test
	void windowsFitIntoFrames() {
		assertEquals(Size.of(9, 9), new Deformations(Size.of(9, 9), Size.of(9, 9), 1).window());
		for (final Size window : List.of(Size.of(10, 9), Size.of(9, 10), Size.of(9, 9, 1)))
			assertThrows(IllegalArgumentException.class, () -> new Deformations(Size.of(9, 9), window, 1), window.toString());
	}

	@Test
	void theSumsOfALayoutFillIt() {
		for (final int n : new int[] { 2, 3 }) {
			final SumLayout layout = new SumLayout(n);
			final TreeSet<Integer> all = new TreeSet<>();
			IntStream.range(0, 2 * SumLayout.PLAIN).forEach(all::add);
			for (int d = 0; d < n; d++) {
				for (int i = 0; i < 5; i++) assertTrue(all.add(layout.gradient(d) + i));
				for (int e = 0; e < n; e++) for (int i = 0; i < 2; i++) assertTrue(all.add(layout.gradients(d, e) + i));
				assertTrue(all.add(layout.places + d));
			}
			assertArrayEquals(IntStream.range(0, layout.count).toArray(), all.stream().mapToInt(i -> i).toArray());
		}
	}
}
