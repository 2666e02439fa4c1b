package sc.fiji.ncc.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The measured numbers of false alarms keep what is promised: where they are not marked as uncertain, they are within 0.8 to 1.25 at 1 expected and 0.6 to 1.6 at 0.05. */
class FalseAlarmNumbersTest {

	@ParameterizedTest
	@CsvSource({ "false-alarms-textures, 8, 100", "false-alarms-red, 2, 100" })
	void theCountsAreAsExpected(final String file, final int rows, final int images) throws IOException {
		final DocumentTable table = DocumentTable.read(DocumentTable.FOLDER.resolve(file + ".csv"));
		assertEquals(rows, table.rows().size());
		for (final Map<String, String> row : table.rows()) {
			final double ratio = number(row, "certain_ratio"), certain = number(row, "certain_images"), expected = number(row, "expected");
			final boolean often = expected == 1;
			assertTrue(ratio >= (often ? 0.8 : 0.6) && ratio <= (often ? 1.25 : 1.6), () -> file + ": " + row);
			assertTrue(certain >= images, () -> file + ": " + row);
			assertEquals(number(row, "images"), certain + number(row, "uncertain"), row::toString);
			assertEquals(number(row, "certain_found") / (expected * certain), ratio, 0.005001, row::toString);
			assertEquals(number(row, "found") / (expected * number(row, "images")), number(row, "ratio"), 0.005001, row::toString);
		}
	}

	private static double number(final Map<String, String> row, final String column) {
		return Double.parseDouble(row.get(column));
	}
}
