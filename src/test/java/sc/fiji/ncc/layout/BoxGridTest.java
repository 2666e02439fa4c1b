package sc.fiji.ncc.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.Size;

/** Boxes in closed form. A box is written as its first lag + its size. */
class BoxGridTest {

	@Test
	void wholeRowsThenPartsOfARow() {
		assertEquals(List.of("0,0+10,6"), boxes(BoxGrid.of(new long[] { 10, 6 }, 60)));
		assertEquals(List.of("0,0+10,2", "0,2+10,2", "0,4+10,2"), boxes(BoxGrid.of(new long[] { 10, 6 }, 29)));
		assertEquals(List.of("0,0+7,1", "7,0+3,1", "0,1+7,1", "7,1+3,1"), boxes(BoxGrid.of(new long[] { 10, 2 }, 7)));
		assertEquals(List.of("0,0,0+4,3,2", "0,0,2+4,3,1"), boxes(BoxGrid.of(new long[] { 4, 3, 3 }, 24)));
		assertEquals(List.of("0+1", "1+1"), boxes(BoxGrid.of(new long[] { 2 }, 1)));
		assertEquals(Size.of(10, 2), BoxGrid.of(new long[] { 10, 6 }, 29).largest());
		assertEquals(List.of(), boxes(BoxGrid.of(new long[] { 10, 0 }, 29)));
	}

	/** The first chunk ends 5 lags after lag 0, because lag 0 is at position 3. Boxes grow along their shortest side. */
	@Test
	void boxesOfChunks() {
		final BoxGrid grid = BoxGrid.ofChunks(new long[] { 20, 10 }, new long[] { 3, 0 }, new int[] { 8, 4 }, 128);
		assertEquals("[16, 8] [13, 0]", Arrays.toString(grid.step()) + " " + Arrays.toString(grid.anchor()));
		assertEquals(List.of("0,0+13,8", "13,0+7,8", "0,8+13,2", "13,8+7,2"), boxes(grid));
		assertEquals(Size.of(13, 8), grid.largest());
		assertEquals(List.of("0,0+5,4", "5,0+8,4", "13,0+7,4"), boxes(BoxGrid.ofChunks(new long[] { 20, 4 }, new long[] { 3, 0 }, new int[] { 8, 4 }, 1)));
	}

	@Test
	void theLargestBoxIsNotTheFirst() {
		final BoxGrid grid = BoxGrid.ofChunks(new long[] { 40 }, new long[] { 3 }, new int[] { 8 }, 16);
		assertEquals(List.of("0+13", "13+16", "29+11"), boxes(grid));
		assertEquals(Size.of(16), grid.largest());
		final BoxGrid last = BoxGrid.ofChunks(new long[] { 12 }, new long[] { 7 }, new int[] { 8 }, 8);
		assertEquals(List.of("0+1", "1+8", "9+3"), boxes(last));
		assertEquals(Size.of(8), last.largest());
		assertEquals(Size.of(4), BoxGrid.ofChunks(new long[] { 5 }, new long[] { 7 }, new int[] { 8 }, 8).largest());
	}

	@Test
	void aBoxDoesNotGrowBeyondTheLags() {
		assertEquals(8, BoxGrid.ofChunks(new long[] { 5 }, new long[] { 3 }, new int[] { 8 }, 1000).step()[0]);
		final BoxGrid grid = BoxGrid.ofChunks(new long[] { 5 }, new long[] { 4 }, new int[] { 8 }, 1000);
		assertEquals(16, grid.step()[0]);
		assertEquals(List.of("0+5"), boxes(grid));
		assertEquals(Size.of(5), grid.largest());
	}

	private static List<String> boxes(final BoxGrid grid) {
		final List<String> boxes = grid.boxes().stream().map(b -> text(b[0]) + "+" + text(b[1])).toList();
		assertEquals(boxes.size(), grid.count());
		return boxes;
	}

	private static String text(final long[] numbers) {
		return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(","));
	}
}
