package sc.fiji.ncc.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.result.Mosaic.Link;
import sc.fiji.ncc.result.Mosaic.Placed;

/** What a mosaic says of its tiles and links. */
class MosaicTest {

	private static Link link(final int a, final int b, final String reason) {
		return new Link(a, b, new double[] { 90, 0 }, 0.9, 0.1, 1e-6, null, 0.1, 1, reason.isEmpty(), reason);
	}

	/** @param joined the number of tiles at the start that links join to one another */
	private static Mosaic mosaic(final int tiles, final int joined, final String reason) {
		final List<Placed> placed = new ArrayList<>();
		final List<Link> links = new ArrayList<>();
		for (int i = 0; i < tiles; i++) placed.add(new Placed("t" + i, null, null, i < joined ? 1 : 0, i < joined));
		for (int i = 1; i < tiles; i++) links.add(link(i - 1, i, i < joined ? "" : reason));
		return new Mosaic(placed, links, null, false, 1, "");
	}

	@Test
	void linksOfLessThanHalfOfTheTilesAreDoubtful() {
		assertEquals("links join only 3 of 7 tiles", mosaic(7, 3, "ambiguous").doubt());
		assertEquals("", mosaic(6, 3, "ambiguous").doubt());
		assertEquals("no two neighbouring tiles fit", mosaic(6, 0, "ambiguous").doubt());
	}

	/** A tile that links join only to others outside the largest group is not at the position of the stage, even if it has none. */
	@Test
	void tilesThatAreLinkedApartAreCounted() {
		final List<Placed> tiles = new ArrayList<>();
		for (int i = 0; i < 8; i++) tiles.add(new Placed("t" + i, i == 7 ? null : new double[] { 90 * i, 0 }, null, i < 6 ? 1 : 0, i < 4));
		final String said = new Mosaic(tiles, List.of(link(0, 1, ""), link(2, 3, ""), link(4, 5, "")), null, false, 1, "").summary();
		assertTrue(said.contains(", 2 tiles linked apart from the others, 1 tile at the position of the stage, 1 tile without a position, "), said);
	}

	/** Tiles 2 and 3 are linked to each other, and nothing places them: their link has no residual. */
	@Test
	void linksOfTilesWithoutAPositionHaveNoResidual() {
		final List<Placed> tiles = new ArrayList<>();
		for (int i = 0; i < 5; i++) tiles.add(new Placed("t" + i, i < 2 ? new double[] { 90 * i, 0 } : null, null, i < 4 ? 1 : 0, i < 2));
		final Link apart = new Link(2, 3, new double[] { 90, 0 }, 0.9, 0.1, 1e-6, null, Double.NaN, Double.NaN, true, "");
		final Mosaic mosaic = new Mosaic(tiles, List.of(link(0, 1, ""), apart), null, false, 1, "");
		assertEquals(0.1, mosaic.rmsResidual(), 1e-12);
		assertTrue(mosaic.summary().contains(", 2 tiles linked apart from the others and without a position, 1 tile without a position, "
			+ "RMS residual 0.100 pixels"), mosaic::summary);
	}

	/** A tile with links is linked, also where nothing places it. */
	@Test
	void tilesSayWhyLinksDoNotHoldThem() {
		final double[] place = { 9, 0 };
		assertEquals("", new Placed("t", place, null, 1, true).doubt());
		assertEquals("is not linked: it lies where the stage was sent", new Placed("t", place, null, 0, false).doubt());
		assertEquals("is not linked: it is left out", new Placed("t", null, null, 0, false).doubt());
		assertEquals("is linked apart from the others: the stage says where it lies beside them", new Placed("t", place, null, 2, false).doubt());
		assertEquals("is linked apart from the others: nothing says where it lies beside them, so it is left out",
			new Placed("t", null, null, 2, false).doubt());
	}

	/** Five names at most, and the reason without its numbers that is the most frequent one of all links of these tiles. */
	@Test
	void tilesWithoutALinkAreNamed() {
		assertEquals("", mosaic(4, 4, "").withoutLinks());
		assertEquals("1 tile has no link: t3; most frequent reason: ambiguous", mosaic(4, 3, "ambiguous: 0.3").withoutLinks());
		assertEquals("5 tiles have no link: t2, t3, t4, t5, t6; most frequent reason: ambiguous", mosaic(7, 2, "ambiguous: 0.3").withoutLinks());
		assertEquals("6 tiles have no link: t2, t3, t4, t5, t6 and 1 more; most frequent reason: ambiguous", mosaic(8, 2, "ambiguous: 0.3").withoutLinks());
	}
}
