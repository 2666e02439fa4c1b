package sc.fiji.ncc.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

/** Which cells are read again. */
class CellCacheTest {

	private final List<Long> read = new ArrayList<>();
	private final CellCache<String> two = new CellCache<>(2, i -> {
		read.add(i);
		return "cell " + i;
	});

	@Test
	void theLeastRecentlyUsedCellIsReadAgain() {
		for (final long i : new long[] { 1, 2, 1, 3, 1, 2 }) assertEquals("cell " + i, two.get(i));
		assertEquals(List.of(1L, 2L, 3L, 2L), read);
	}

	@Test
	void aCellThatCouldNotBeReadIsReadAgain() {
		for (final Throwable failure : new Throwable[] { new IllegalStateException("the disk is gone"), new OutOfMemoryError() }) {
			read.clear();
			final CellCache<String> cache = new CellCache<>(2, i -> {
				read.add(i);
				if (read.size() > 1) return "cell " + i;
				if (failure instanceof Error) throw (Error) failure;
				throw (RuntimeException) failure;
			});
			assertSame(failure, assertThrows(failure.getClass(), () -> cache.get(5)));
			for (int i = 0; i < 2; i++) assertEquals("cell 5", cache.get(5));
			assertEquals(List.of(5L, 5L), read);
		}
	}
}
