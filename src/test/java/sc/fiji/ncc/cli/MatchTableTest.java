package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Match;

class MatchTableTest {

	private static final String HEAD = "image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z\r\n";

	private static String table(final String image, final List<Match> matches, final long frame) {
		return MatchTable.HEAD + MatchTable.rows(image, frame, matches);
	}

	@Test
	void planesAndVolumes() {
		final Match plane = new Match(0, new long[0], new long[] { 10, -2 }, 0.1 + 0.2, new double[] { 10.25, -2 });
		assertEquals(HEAD + "a.tif,23,0,10,-2,0,0.30000000000000004,10.25,-2.0,0.0\r\n", table("a.tif", List.of(plane), 23));
		final Match volume = new Match(2, new long[0], new long[] { 1, 2, 3 }, 1, new double[] { 1.5, 2.5, 3.5 });
		assertEquals(HEAD + "a.tif,0,2,1,2,3,1.0,1.5,2.5,3.5\r\n", table("a.tif", List.of(volume), 0));
		assertEquals(HEAD, table("a.tif", List.of(), 5));
	}

	@Test
	void namesAreQuotedWhereTheyMust() {
		final Match m = new Match(0, new long[0], new long[] { 0, 0 }, 1, new double[] { 0, 0 });
		assertEquals(HEAD + "\"a, \"\"b\"\".tif\",0,0,0,0,0,1.0,0.0,0.0,0.0\r\n", table("a, \"b\".tif", List.of(m), 0));
	}
}
