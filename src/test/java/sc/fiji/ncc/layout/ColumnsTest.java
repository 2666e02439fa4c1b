package sc.fiji.ncc.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PreparedImage;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Response;

/** An image of one column gives the responses of an image of one row with the same pixels, bit by bit, because it is computed as one. */
class ColumnsTest {

	private static final int LENGTH = 3000, SIDE = 40;

	/** An image of one column or of one row, with the same pixels. */
	private static Img<?> image(final PixelType type, final boolean column, final int seed, final int... size) {
		final int[] extents = column ? size : Columns.turned(size);
		return TestImages.image(type, extents, new Random(seed).ints(Arrays.stream(size).reduce(1, (a, b) -> a * b), 0, 256).asDoubleStream().toArray());
	}

	private static RandomAccessibleInterval<?> joint(final boolean column, final int seed, final int... size) {
		return JointImage.of(List.of(image(PixelType.U8, column, seed, size), image(PixelType.U8, column, seed + 100, size)));
	}

	private static FinalInterval region(final boolean column, final long first, final long length) {
		return column ? FinalInterval.createMinSize(0, first, 1, length) : FinalInterval.createMinSize(first, 0, length, 1);
	}

	private static void assertRow(final Ranking ranking) {
		final Sliding p = (Sliding) ranking.problem();
		assertEquals(1, p.size().get(1), p.toString());
		assertTrue(p.size().get(0) > 1, p.toString());
	}

	private static double[] values(final Response r) {
		r.rankings().forEach(ColumnsTest::assertRow);
		final List<double[]> all = new ArrayList<>();
		for (int t = 0; t < r.images().size(); t++) all.add(TestImages.values(r.images().get(t)));
		return all.stream().flatMapToDouble(Arrays::stream).toArray();
	}

	private static void assertSame(final Response column, final Response row, final String how) {
		assertArrayEquals(values(row), values(column), how);
		assertEquals(row.report(), column.report(), how);
		for (int t = 0; t < row.images().size(); t++)
			assertEquals(Size.of(Columns.turned(row.images().get(t).dimensionsAsLongArray())), Size.of(column.images().get(t).dimensionsAsLongArray()), how);
	}

	@Test
	void correlations() {
		final List<Consumer<NormalizedCrossCorrelation>> settings = List.of(op -> {}, op -> op.extent(Extent.SAME), op -> op.extent(Extent.FULL),
			op -> op.extent(Extent.SAME).border(Border.MIRROR), op -> op.extent(Extent.FULL).border(Border.constant(7)), op -> op.precision(Precision.DOUBLE));
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
			for (int k = 0; k < settings.size(); k++) {
				final List<Response> found = new ArrayList<>();
				for (final boolean column : new boolean[] { true, false }) {
					// two frames; the second template has another size
					final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(List.of(image(type, column, 2, 1, SIDE), image(type, column, 3, 1, 9)));
					settings.get(k).accept(op);
					found.add(op.correlate(image(type, column, 1, 1, LENGTH, 2)));
				}
				assertSame(found.get(0), found.get(1), type + ", settings " + k);
			}
	}

	@Test
	void volumesMasksChannelsAndRegions() {
		final List<List<Response>> found = List.of(new ArrayList<>(), new ArrayList<>());
		for (final boolean column : new boolean[] { true, false }) {
			final List<Response> to = found.get(column ? 0 : 1);
			to.add(NormalizedCrossCorrelation.of(image(PixelType.F32, column, 2, 1, 7, 5)).extent(Extent.SAME).border(Border.EDGE)
				.correlate(image(PixelType.F32, column, 1, 1, 90, 30)));
			final Img<?> mask = TestImages.image(PixelType.U8, column ? new int[] { 1, LENGTH } : new int[] { LENGTH, 1 },
				new Random(5).ints(LENGTH, 0, 4).asDoubleStream().map(v -> Math.min(1, v)).toArray());
			to.add(NormalizedCrossCorrelation.of(image(PixelType.U8, column, 2, 1, SIDE)).imageMask(mask).correlate(image(PixelType.U8, column, 1, 1, LENGTH)));
			to.add(NormalizedCrossCorrelation.of(joint(column, 2, 1, SIDE)).correlate(joint(column, 1, 1, LENGTH)));
			to.add(NormalizedCrossCorrelation.of(image(PixelType.U8, column, 2, 1, SIDE)).search(region(column, 100, 50))
				.correlate(image(PixelType.U8, column, 1, 1, LENGTH)));
			to.add(Convolution.of(image(PixelType.F32, column, 2, 1, SIDE)).convolve(image(PixelType.F32, column, 1, 1, LENGTH)));
			to.add(Convolution.of(image(PixelType.U8, column, 2, 1, 5)).extent(Extent.FULL).convolve(image(PixelType.U8, column, 1, 1, LENGTH)));
		}
		for (int i = 0; i < found.get(0).size(); i++) assertSame(found.get(0).get(i), found.get(1).get(i), "operation " + i);
	}

	@Test
	void streamsPreparedImagesAndTheBestOfEachLag() {
		final List<List<double[]>> found = List.of(new ArrayList<>(), new ArrayList<>());
		for (final boolean column : new boolean[] { true, false }) {
			final List<double[]> to = found.get(column ? 0 : 1);
			final Img<?> image = image(PixelType.U8, column, 1, 1, LENGTH);
			final List<Img<?>> templates = List.of(image(PixelType.U8, column, 2, 1, SIDE), image(PixelType.U8, column, 3, 1, SIDE));
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates);
			op.correlateEach(List.of(image), (index, response) -> to.add(values(response)));
			final Best best = op.best(image);
			best.rankings().forEach(ColumnsTest::assertRow);
			to.add(TestImages.values(best.score()));
			to.add(TestImages.values(best.template()));
			try (PreparedImage prepared = op.prepare(image)) {
				to.add(values(prepared.correlate(templates)));
			}
		}
		for (int i = 0; i < found.get(0).size(); i++) assertArrayEquals(found.get(1).get(i), found.get(0).get(i), "result " + i);
	}

	@Test
	void matches() {
		final List<List<Match>> found = new ArrayList<>();
		for (final boolean column : new boolean[] { true, false }) {
			final TemplateMatching.Result result = TemplateMatching.with(NormalizedCrossCorrelation.of(image(PixelType.U8, column, 2, 1, SIDE)))
				.falseAlarms(0.5).minScore(0.3).find(image(PixelType.U8, column, 1, 1, LENGTH));
			result.rankings().forEach(ColumnsTest::assertRow);
			found.add(result.matches());
		}
		assertTrue(found.get(0).size() > 1, found.toString());
		assertEquals(found.get(1).size(), found.get(0).size());
		for (int i = 0; i < found.get(0).size(); i++) {
			final Match column = found.get(0).get(i), row = found.get(1).get(i);
			assertArrayEquals(Columns.turned(row.position()), column.position());
			assertEquals(row.score(), column.score());
		}
	}
}
