package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import net.imglib2.img.array.ArrayImgs;

import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.result.Mosaic.Link;

/** Positions from links, against least squares with dense matrices. */
class MosaicSolverTest {

	private final List<TilePair> pairs = new ArrayList<>();
	private final List<Link> links = new ArrayList<>();

	private static Tiles tiles(final double[]... positions) {
		final List<Tile> all = new ArrayList<>();
		for (int i = 0; i < positions.length; i++)
			all.add(Tile.of("tile " + i, positions[0].length == 2 ? ArrayImgs.bytes(100, 80) : ArrayImgs.bytes(100, 80, 30), positions[i]));
		return new Tiles(all, positions[0].length, t -> t);
	}

	private static Tiles unplaced(final int count, final int dimensions) {
		final List<Tile> all = new ArrayList<>();
		for (int i = 0; i < count; i++) all.add(Tile.of("tile " + i, dimensions == 2 ? ArrayImgs.bytes(100, 80) : ArrayImgs.bytes(100, 80, 30), (double[]) null));
		return new Tiles(all, dimensions, t -> t);
	}

	private void link(final int a, final int b, final double[] expected, final double[] shift, final double[][] covariance) {
		final long[] zeros = new long[covariance.length], size = new long[covariance.length];
		pairs.add(new TilePair(a, b, expected, zeros, zeros, size, size, zeros, expected == null ? null : size));
		links.add(new Link(a, b, shift, 0.9, 0.5, 1e-6, covariance, Double.NaN, Double.NaN, shift != null, shift == null ? "ambiguous" : ""));
	}

	/** A covariance of random deviations. */
	private static double[][] covariance(final Random random, final int n) {
		final double[][] c = new double[n][n];
		for (int k = 0; k < 5; k++) {
			final double[] v = random.doubles(n, -0.1, 0.1).toArray();
			for (int d = 0; d < n; d++) for (int e = 0; e < n; e++) c[d][e] += v[d] * v[e];
		}
		return c;
	}

	/** A link whose covariance is nearly singular has no weight. It is left out, and says why. */
	@Test
	void aNearlySingularCovarianceIsNotUsed() {
		final double[][] good = { { 0.01, 0 }, { 0, 0.01 } };
		link(0, 1, null, new double[] { 90, 1 }, good);
		link(1, 2, null, new double[] { 88, 2 }, good);
		link(0, 2, null, new double[] { 150, 9 }, new double[][] { { 1e4 + 1e-6, 1e4 }, { 1e4, 1e4 + 1e-6 } });
		final Mosaic mosaic = new MosaicSolver(unplaced(3, 2), pairs, links, null).solve(1e-3, null, false);
		assertEquals(List.of(true, true, false), mosaic.links().stream().map(Link::used).toList());
		assertEquals("the covariance of the shift is singular", mosaic.links().get(2).reason());
		for (int i = 0; i < 2; i++) assertEquals("", mosaic.links().get(i).reason());
		assertEquals(178, mosaic.tiles().get(2).position()[0] - mosaic.tiles().get(0).position()[0], 1e-9);
	}

	/**
	 * Rings and chords, whose tiles come in any order. All positions, covariances and residuals are those of dense matrices, with the first tile at 0 and the
	 * mean taken off.
	 */
	@ParameterizedTest
	@CsvSource({ "5, 2, 1", "7, 2, 2", "6, 3, 3", "4, 3, 4", "9, 2, 5" })
	void asByDenseMatrices(final int count, final int n, final int seed) {
		final Random random = new Random(seed);
		final double[][] truth = new double[count][];
		for (int i = 0; i < count; i++) truth[i] = random.doubles(n, 0, 300).toArray();
		for (int i = 0; i < count; i++)
			for (final int step : new int[] { 1, 2 }) {
				final int a = i, b = (i + step) % count;
				final double[] shift = new double[n];
				for (int d = 0; d < n; d++) shift[d] = truth[b][d] - truth[a][d] + 0.05 * random.nextGaussian();
				link(a, b, null, shift, covariance(random, n));
			}
		final int m = links.size();
		// nothing is rejected
		final Mosaic mosaic = new MosaicSolver(unplaced(count, n), pairs, links, null).solve(1e-300, null, false);
		final double scale = mosaic.errorScale();
		final RealMatrix x = MatrixUtils.createRealMatrix(m * n, (count - 1) * n), v = MatrixUtils.createRealMatrix(m * n, m * n);
		final double[] y = new double[m * n];
		for (int i = 0; i < m; i++)
			for (int d = 0; d < n; d++) {
				y[i * n + d] = links.get(i).shift()[d];
				if (links.get(i).a() > 0) x.setEntry(i * n + d, (links.get(i).a() - 1) * n + d, -1);
				if (links.get(i).b() > 0) x.setEntry(i * n + d, (links.get(i).b() - 1) * n + d, 1);
				for (int e = 0; e < n; e++) v.setEntry(i * n + d, i * n + e, scale * scale * links.get(i).covariance()[d][e]);
			}
		final RealMatrix w = MatrixUtils.inverse(v), c = MatrixUtils.inverse(x.transpose().multiply(w).multiply(x));
		final double[] p = c.multiply(x.transpose()).multiply(w).operate(y);
		// positions and covariances with the first tile, relative to the mean
		final RealMatrix centre = MatrixUtils.createRealMatrix(count * n, (count - 1) * n);
		for (int i = 0; i < count; i++)
			for (int k = 1; k < count; k++) for (int d = 0; d < n; d++) centre.setEntry(i * n + d, (k - 1) * n + d, (i == k ? 1 : 0) - 1.0 / count);
		final double[] positions = centre.operate(p);
		final RealMatrix covariances = centre.multiply(c).multiply(centre.transpose());
		for (int i = 0; i < count; i++) {
			final Mosaic.Placed tile = mosaic.tiles().get(i);
			assertTrue(tile.linked());
			assertEquals(4, tile.links());
			for (int d = 0; d < n; d++) {
				assertEquals(positions[i * n + d], tile.position()[d], 1e-9, "tile " + i);
				for (int e = 0; e < n; e++) assertEquals(covariances.getEntry(i * n + d, i * n + e), tile.covariance()[d][e], 1e-12, "tile " + i);
			}
		}
		final double[] fitted = x.operate(p);
		final RealMatrix left = v.subtract(x.multiply(c).multiply(x.transpose()));
		for (int i = 0; i < m; i++) {
			final double[] r = new double[n];
			for (int d = 0; d < n; d++) r[d] = y[i * n + d] - fitted[i * n + d];
			final double[] weighted = MatrixUtils.inverse(left.getSubMatrix(i * n, i * n + n - 1, i * n, i * n + n - 1)).operate(r);
			double square = 0, chi = 0;
			for (int d = 0; d < n; d++) {
				square += r[d] * r[d];
				chi += r[d] * weighted[d];
			}
			assertEquals(Math.sqrt(square), mosaic.links().get(i).residual(), 1e-9);
			assertEquals(Math.sqrt(chi), mosaic.links().get(i).sigmas(), 1e-6 * Math.sqrt(chi), "link " + i);
			assertTrue(mosaic.links().get(i).used());
		}
	}

	private static double[][] diagonal(final double sigma, final int n) {
		final double[][] c = new double[n][n];
		for (int d = 0; d < n; d++) c[d][d] = sigma * sigma;
		return c;
	}

	/** Four tiles in a square with both diagonals; one link is wrong by ten standard deviations and goes, the others fit exactly and stay. */
	@Test
	void aLinkThatContradictsTheOthersGoes() {
		final double[][] truth = { { 0, 0 }, { 90, 1 }, { 2, 70 }, { 91, 72 } };
		for (final int[] l : new int[][] { { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 }, { 0, 3 }, { 1, 2 } }) {
			final double wrong = l[0] == 1 && l[1] == 3 ? 1 : 0;
			link(l[0], l[1], null, new double[] { truth[l[1]][0] - truth[l[0]][0] + wrong, truth[l[1]][1] - truth[l[0]][1] }, diagonal(0.1, 2));
		}
		final Mosaic mosaic = new MosaicSolver(unplaced(4, 2), pairs, links, null).solve(1e-6, null, false);
		for (int i = 0; i < 6; i++) {
			assertEquals(i != 2, mosaic.links().get(i).used());
			assertEquals(i == 2, mosaic.links().get(i).isRejected());
			assertEquals(i == 2 ? 1 : 0, mosaic.links().get(i).residual(), 1e-9);
		}
		// the rest determines the distance to 0.1 pixels: both variances add up
		assertEquals(1 / Math.sqrt(0.02), mosaic.links().get(2).sigmas(), 1e-9);
		assertEquals("contradicts the other links by 7.1 standard deviations", mosaic.links().get(2).reason());
		assertEquals(1, mosaic.errorScale());
		for (int d = 0; d < 2; d++) assertEquals(truth[3][d] - truth[0][d], mosaic.tiles().get(3).position()[d] - mosaic.tiles().get(0).position()[d], 1e-9);
		// nothing is left out without a level
		assertTrue(new MosaicSolver(unplaced(4, 2), pairs, links, null).solve(1e-300, null, false).links().stream().allMatch(Link::used));
	}

	/** A chain has no redundancy, so nothing contradicts its links; the residuals are 0. Variances add up along it, relative to the mean. */
	@Test
	void aChainHasNoContradictions() {
		for (int i = 0; i < 2; i++) link(i, i + 1, null, new double[] { 90, 2 }, diagonal(0.1, 2));
		final Mosaic mosaic = new MosaicSolver(unplaced(3, 2), pairs, links, null).solve(0.01, null, false);
		for (final Link l : mosaic.links()) {
			assertEquals(0, l.residual(), 1e-9);
			assertTrue(Double.isNaN(l.sigmas()), "nothing contradicts it");
		}
		// of a chain of three: (4 + 1)/9 variances at an end, and 2/9 in the middle
		for (int d = 0; d < 2; d++) {
			assertEquals(0.1 * Math.sqrt(5) / 3, mosaic.tiles().get(0).sigma(d), 1e-9);
			assertEquals(0.1 * Math.sqrt(2) / 3, mosaic.tiles().get(1).sigma(d), 1e-9);
			assertEquals(0.1 * Math.sqrt(5) / 3, mosaic.tiles().get(2).sigma(d), 1e-9);
		}
		assertArrayEquals(new double[] { -90, -2 }, mosaic.tiles().get(0).position(), 1e-9);
	}

	/** Without positions, tiles beyond the largest group have none. */
	@Test
	void withoutPositionsOtherGroupsAreLeftOut() {
		link(3, 4, null, new double[] { 80, 0 }, diagonal(0.1, 2));
		link(0, 1, null, null, diagonal(0.1, 2));
		link(1, 2, null, new double[] { 90, 2 }, diagonal(0.1, 2));
		link(2, 5, null, new double[] { 90, 2 }, diagonal(0.1, 2));
		final Mosaic mosaic = new MosaicSolver(unplaced(6, 2), pairs, links, null).solve(0.01, null, false);
		for (final int i : new int[] { 0, 3, 4 }) {
			assertNull(mosaic.tiles().get(i).position());
			assertFalse(mosaic.tiles().get(i).linked());
		}
		for (final int i : new int[] { 1, 2, 5 }) assertTrue(mosaic.tiles().get(i).linked());
		assertArrayEquals(new double[] { 0, 0 }, mosaic.tiles().get(2).position(), 1e-9);
		assertEquals(List.of(0, 1, 2, 1, 1, 1), mosaic.tiles().stream().map(Mosaic.Placed::links).toList());
		assertTrue(Double.isNaN(mosaic.links().get(0).residual()) && Double.isNaN(mosaic.links().get(1).residual()));
		assertEquals(0, mosaic.links().get(2).residual(), 1e-9);
	}

	/**
	 * A neighbour without a link has the distance of the stage, with its offset and its standard deviation. The mean distance of linked tiles from the stage
	 * is 0.
	 */
	@Test
	void whatIsNotLinkedLiesWhereTheStageWasSent() {
		final Tiles placed = tiles(new double[] { 0, 0 }, new double[] { 90, 0 }, new double[] { 180, 0 }, new double[] { 0, 500 });
		link(0, 1, new double[] { 90, 0 }, new double[] { 91, 2 }, diagonal(0.1, 2));
		link(1, 2, new double[] { 90, 0 }, null, diagonal(0.1, 2));
		final StageModel stage = new StageModel(new double[][] { { 1, 2 }, { 0, 0 } }, new double[] { 3, 4 });
		final Mosaic mosaic = new MosaicSolver(placed, pairs, links, stage).solve(0.01, new long[] { 20, 10 }, true);
		// tiles 0 and 1 are linked: half a pixel and one to each side of the stage
		assertArrayEquals(new double[] { -0.5, -1 }, mosaic.tiles().get(0).position(), 1e-9);
		assertArrayEquals(new double[] { 90.5, 1 }, mosaic.tiles().get(1).position(), 1e-9);
		assertArrayEquals(new double[] { 90.5 + 91, 1 + 2 }, mosaic.tiles().get(2).position(), 1e-9);
		assertArrayEquals(new double[] { -0.5, 499 }, mosaic.tiles().get(3).position(), 1e-9);
		assertEquals(List.of(true, true, false, false), mosaic.tiles().stream().map(Mosaic.Placed::linked).toList());
		for (int d = 0; d < 2; d++) {
			final double stageSigma = 3 + d;
			assertEquals(0.05, mosaic.tiles().get(0).sigma(d), 1e-9);
			// the stage, and half of the link
			assertEquals(Math.sqrt(stageSigma * stageSigma + 0.05 * 0.05), mosaic.tiles().get(2).sigma(d), 1e-9);
			assertEquals(Math.sqrt(stageSigma * stageSigma + 0.05 * 0.05), mosaic.tiles().get(3).sigma(d), 1e-9);
		}
		assertArrayEquals(new double[] { 20, 10 }, mosaic.stageError());
		assertTrue(mosaic.stageMeasured());
	}

	/** Tile 4 has no stage position, and a link to tile 3, which is apart from the largest group: links place it. */
	@Test
	void aTileWithoutAStagePositionIsLinkedApart() {
		final Tiles placed = tiles(new double[] { 0, 0 }, new double[] { 90, 0 }, new double[] { 180, 0 }, new double[] { 0, 500 }, null);
		for (int i = 1; i < 3; i++) link(i - 1, i, new double[] { 90, 0 }, new double[] { 91, 2 }, diagonal(0.1, 2));
		link(3, 4, null, new double[] { 80, 1 }, diagonal(0.1, 2));
		final StageModel stage = new StageModel(new double[][] { { 1, 2 }, { 0, 0 } }, new double[] { 3, 4 });
		final Mosaic mosaic = new MosaicSolver(placed, pairs, links, stage).solve(0.01, new long[] { 20, 10 }, true);
		assertEquals(List.of(false, false, false, true, true), mosaic.tiles().stream().map(Mosaic.Placed::isApart).toList());
		final double[] loose = mosaic.tiles().get(3).position(), last = mosaic.tiles().get(4).position();
		assertArrayEquals(new double[] { loose[0] + 80, loose[1] + 1 }, last, 1e-9);
		assertTrue(mosaic.summary().contains("0 not linked, 2 tiles linked apart from the others, RMS"), mosaic::summary);
	}

	/** Twelve links, which differ three times as much as their covariances say: all standard deviations grow, and no link is left out. */
	@Test
	void covariancesThatAreTooSmallAreEnlarged() {
		final Random random = new Random(9);
		final int count = 6;
		for (int a = 0; a < count; a++)
			for (int b = a + 1; b < count; b++)
				link(a, b, null, new double[] { 50 * (b - a) + 0.3 * random.nextGaussian(), 0.3 * random.nextGaussian() }, diagonal(0.1, 2));
		final Mosaic mosaic = new MosaicSolver(unplaced(count, 2), pairs, links, null).solve(0.01, null, false);
		assertTrue(mosaic.errorScale() > 2 && mosaic.errorScale() < 4.5, mosaic.errorScale() + " times");
		assertTrue(mosaic.links().stream().allMatch(Link::used));
		// each tile has five links, and the mean of six tiles is taken off: the variance of a position is σ²·5/36
		assertEquals(mosaic.errorScale() * 0.1 * Math.sqrt(5.0 / 36), mosaic.tiles().get(2).sigma(0), 1e-9);
	}

	/** Links that fit better than their covariances say keep them. */
	@Test
	void covariancesThatAreTooLargeStay() {
		for (int a = 0; a < 6; a++) for (int b = a + 1; b < 6; b++) link(a, b, null, new double[] { 50 * (b - a), 0 }, diagonal(0.1, 2));
		final Mosaic mosaic = new MosaicSolver(unplaced(6, 2), pairs, links, null).solve(0.01, null, false);
		assertEquals(1, mosaic.errorScale());
		assertEquals(0.1 * Math.sqrt(5.0 / 36), mosaic.tiles().get(2).sigma(0), 1e-9);
	}

	/** Eight residuals are enough to say how good the covariances are. */
	@Test
	void fewResidualsDoNotEnlargeTheCovariances() {
		final Random random = new Random(9);
		for (int a = 0, count = 1; count <= 8; a++)
			for (int b = a + 1; b < 5 && count <= 8; b++, count++) {
				link(a, b, null, new double[] { 50 * (b - a) + random.nextGaussian(), random.nextGaussian() }, diagonal(0.1, 2));
				if (count == 7) assertEquals(1, new MosaicSolver(unplaced(5, 2), pairs, links, null).solve(1e-300, null, false).errorScale());
			}
		assertTrue(new MosaicSolver(unplaced(5, 2), pairs, links, null).solve(1e-300, null, false).errorScale() > 2);
	}

	/** The level is the probability that any of all good links is left out, not that of each. */
	@Test
	void goodLinksStay() {
		int all = 0;
		for (int seed = 0; seed < 40; seed++) {
			pairs.clear();
			links.clear();
			final Random random = new Random(seed);
			for (int a = 0; a < 12; a++)
				for (int b = a + 1; b < 12; b++)
					link(a, b, null, new double[] { 50 * (b - a) + 0.1 * random.nextGaussian(), 0.1 * random.nextGaussian() }, diagonal(0.1, 2));
			if (new MosaicSolver(unplaced(12, 2), pairs, links, null).solve(0.1, null, false).links().stream().allMatch(Link::used)) all++;
		}
		// 36 of 40 are expected
		assertTrue(all >= 32, all + " of 40");
	}

	/** A link of a group without positions can contradict the others, too. */
	@Test
	void aLinkOfAnotherGroupIsRejected() {
		for (int tile = 0; tile < 4; tile++) link(tile, tile + 1, null, new double[] { 90, 0 }, diagonal(0.1, 2));
		for (final int[] l : new int[][] { { 5, 6 }, { 5, 7 }, { 6, 8 }, { 7, 8 }, { 5, 8 }, { 6, 7 } })
			link(l[0], l[1], null, new double[] { 90 * (l[1] - l[0]) + (l[0] == 6 && l[1] == 8 ? 1 : 0), 0 }, diagonal(0.1, 2));
		final Mosaic mosaic = new MosaicSolver(unplaced(9, 2), pairs, links, null).solve(1e-6, null, false);
		assertNull(mosaic.tiles().get(6).position());
		for (int i = 0; i < links.size(); i++) assertEquals(i == 6, mosaic.links().get(i).isRejected(), "link " + i);
	}
}
