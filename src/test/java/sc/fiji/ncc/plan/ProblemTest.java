package sc.fiji.ncc.plan;

import sc.fiji.ncc.fixture.Problems;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

class ProblemTest {

	/** The text stays short for hundreds of rotated templates, and complete, because it is a key of the wisdom. */
	@Test
	void theTextCountsTemplatesOfEqualSize() {
		final List<Size> many = new ArrayList<>(Collections.nCopies(72, Size.of(5, 4)));
		assertEquals("[72 of 5x4]", sizes(many));
		many.add(Size.of(6, 6));
		many.add(Size.of(5, 4));
		assertEquals("[72 of 5x4, 6x6, 5x4]", sizes(many));
		assertEquals("[5x4]", sizes(List.of(Size.of(5, 4))));
		assertEquals("[2 of 5x4]", sizes(List.of(Size.of(5, 4), Size.of(5, 4))));
	}

	private static String sizes(final List<Size> templates) {
		final String text = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(64, 48), templates, Weights.NONE, Lags.inside(Size.of(59, 43)), 1).toString();
		return text.substring(text.indexOf('['), text.indexOf(']') + 1);
	}
}
