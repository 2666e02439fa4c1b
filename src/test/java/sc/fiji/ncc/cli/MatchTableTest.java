package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Match;

class MatchTableTest {

	private static final String HEAD = "image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z\r\n";

	private static String table(final String image, final List<Match> matches, final long... frames) throws IOException {
		final StringWriter to = new StringWriter();
		MatchTable.write(image, matches, frames, to);
		return to.toString();
	}

	@Test
	void planesAndVolumes() throws IOException {
		final Match plane = new Match(0, new long[] { 1, 2, 3 }, new long[] { 10, -2 }, 0.1 + 0.2, new double[] { 10.25, -2 });
		assertEquals(HEAD + "a.tif," + (1 + 2 * (2 + 3 * 3)) + ",0,10,-2,0,0.30000000000000004,10.25,-2.0,0.0\r\n", table("a.tif", List.of(plane), 2, 3, 4));
		final Match volume = new Match(2, new long[0], new long[] { 1, 2, 3 }, 1, new double[] { 1.5, 2.5, 3.5 });
		assertEquals(HEAD + "a.tif,0,2,1,2,3,1.0,1.5,2.5,3.5\r\n", table("a.tif", List.of(volume)));
		assertEquals(HEAD, table("a.tif", List.of()));
	}

	@Test
	void namesAreQuotedWhereTheyMust() throws IOException {
		final Match m = new Match(0, new long[0], new long[] { 0, 0 }, 1, new double[] { 0, 0 });
		assertEquals(HEAD + "\"a, \"\"b\"\".tif\",0,0,0,0,0,1.0,0.0,0.0,0.0\r\n", table("a, \"b\".tif", List.of(m)));
	}
}
