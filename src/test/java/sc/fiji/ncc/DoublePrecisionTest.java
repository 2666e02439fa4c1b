package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.contract.ImageContent;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;

/** The op in double precision: what comes out, and what it refuses. */
class DoublePrecisionTest {

	private static final int[] SIZE = { 40, 31, 3 }, TEMPLATE = { 6, 5 };

	private static NormalizedCrossCorrelation op() {
		return NormalizedCrossCorrelation.of(draw(PixelType.F64, TEMPLATE, 1)).precision(Precision.DOUBLE);
	}

	private static Img<?> draw(final PixelType type, final int[] size, final long seed) {
		return TestImages.image(type, size, ImageContent.HILLS.draw(type, size, new Random(seed)));
	}

	/** Of a stack, in boxes, each frame against the reference. */
	@ParameterizedTest
	@CsvSource({ "cpu-direct, F64", "cpu-fourier, F64", "cpu-direct-exact, U8", "auto, F32", "auto, U16" })
	void mapsAreWithin1em10(final String algorithm, final PixelType type) {
		final Img<?> image = draw(type, SIZE, 2), template = draw(type, TEMPLATE, 1);
		final Response response = NormalizedCrossCorrelation.of(template).precision(Precision.DOUBLE).algorithm(algorithm).maxLags(300).correlate(image);
		final Img<DoubleType> map = response.doubleMap();
		assertArrayEquals(new long[] { 35, 27, 3 }, map.dimensionsAsLongArray());
		final double[] pixels = TestImages.values(image), all = TestImages.values(map);
		for (int f = 0; f < 3; f++) {
			final double[] frame = Arrays.copyOfRange(pixels, f * 1240, (f + 1) * 1240);
			final double[] expected = new ReferenceNcc(frame, new int[] { 40, 31 }, TestImages.values(template), TEMPLATE, null)
				.inside(ReferenceNcc.Form.COMPENSATED, new long[2], new int[] { 35, 27 });
			assertArrayEquals(expected, Arrays.copyOfRange(all, f * 945, (f + 1) * 945), 1e-10);
		}
		assertEquals(List.of(map), response.images());
		assertTrue(assertThrows(IllegalStateException.class, response::map).getMessage().contains("doubleMap()"));
		assertTrue(assertThrows(IllegalStateException.class, op().precision(Precision.SINGLE).correlate(image)::doubleMap).getMessage().contains("map()"));
	}

	@ParameterizedTest
	@EnumSource
	void undefinedAndBorders(final Undefined undefined) {
		final Img<DoubleType> map = op().extent(Extent.SAME).undefined(undefined).correlate(TestImages.image(PixelType.F64, SIZE, new double[3720])).doubleMap();
		assertArrayEquals(map.dimensionsAsLongArray(), TestImages.longs(SIZE));
		for (final double v : TestImages.values(map)) assertEquals(undefined.value, v);
	}

	@Test
	void aPreparedImageGivesTheSame() {
		final Img<?> image = draw(PixelType.F64, SIZE, 2);
		try (PreparedImage prepared = op().prepare(image)) {
			final Img<?> template = draw(PixelType.F64, TEMPLATE, 9);
			assertArrayEquals(TestImages.values(NormalizedCrossCorrelation.of(template).precision(Precision.DOUBLE).correlate(image).doubleMap()),
				TestImages.values(prepared.correlate(template).doubleMap()));
			assertArrayEquals(TestImages.values(prepared.correlate(template).doubleMap()), TestImages.values(prepared.best(List.of(template)).doubleScore()));
		}
	}

	@Test
	void matchesAreTheSame() {
		final Img<UnsignedByteType> image = TestImages.image(new UnsignedByteType(), SIZE, ImageContent.NOISE.draw(PixelType.U8, SIZE, new Random(3)));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Views.interval(Views.hyperSlice(image, 2, 1),
			FinalInterval.createMinSize(7, 9, 8, 8)));
		final TemplateMatching.Result single = TemplateMatching.with(op).minScore(0.2).maxMatches(5).find(image);
		final TemplateMatching.Result inDouble = TemplateMatching.with(op.precision(Precision.DOUBLE)).minScore(0.2).maxMatches(5).find(image);
		assertEquals(1, single.matches().get(0).score());
		assertEquals(single.matches().size(), inDouble.matches().size());
		for (int i = 0; i < single.matches().size(); i++) {
			assertArrayEquals(single.matches().get(i).position(), inDouble.matches().get(i).position());
			assertEquals(single.matches().get(i).score(), inDouble.matches().get(i).score());
		}
		assertEquals(Precision.DOUBLE, ((Correlation) inDouble.rankings().get(0).problem()).precision());
	}

	/** Of several templates, two of one size that share their tiles: the greatest of the maps, and whose it is. */
	@Test
	void theBestOfEachLag() {
		final Img<?> image = draw(PixelType.F64, SIZE, 2);
		final List<Img<?>> templates = List.of(draw(PixelType.F64, TEMPLATE, 1), draw(PixelType.F64, new int[] { 5, 5 }, 8), draw(PixelType.F64, TEMPLATE, 9));
		for (final Undefined undefined : Undefined.values()) {
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).precision(Precision.DOUBLE).extent(Extent.SAME).undefined(undefined).maxLags(200);
			final Best best = op.best(image);
			final double[] score = TestImages.values(best.doubleScore()), which = TestImages.values(best.template());
			// one that is undefined for a template beats none of the others
			final List<double[]> maps = op.undefined(Undefined.NAN).correlate(image).doubleMaps().stream().map(TestImages::values).toList();
			int several = 0;
			for (int i = 0; i < score.length; i++) {
				if (which[i] == 0) {
					assertEquals(undefined.value, score[i]);
					continue;
				}
				final int lag = i;
				assertEquals(maps.get((int) which[i] - 1)[i], score[i]);
				assertTrue(maps.stream().noneMatch(m -> m[lag] > score[lag]));
				if (which[i] > 1) several++;
			}
			assertTrue(several > 100, several + " lags are not the first template's");
			assertTrue(assertThrows(IllegalStateException.class, best::score).getMessage().contains("doubleScore()"));
		}
		assertTrue(assertThrows(IllegalStateException.class, op().precision(Precision.SINGLE).best(image)::doubleScore).getMessage().contains("score()"));
	}

	/** Part by part to images of doubles, chunk by chunk. */
	@Test
	void mapsGoToStores() {
		final Img<?> image = draw(PixelType.F64, SIZE, 2);
		for (final Extent extent : Extent.values()) {
			final NormalizedCrossCorrelation op = op().algorithm("cpu-direct").extent(extent).undefined(Undefined.NAN).maxLags(200);
			final Img<DoubleType> map = new CellImgFactory<>(new DoubleType(), 9, 7, 2).create(op.mapShapes(image).get(0).size());
			op.correlateInto(image, MapStore.of(map));
			assertArrayEquals(TestImages.values(op.correlate(image).doubleMap()), TestImages.values(map), 2e-10, extent.toString());
		}
		final Img<FloatType> floats = ArrayImgs.floats(op().mapShapes(image).get(0).size());
		final String wrong = assertThrows(IllegalArgumentException.class, () -> op().correlateInto(image, MapStore.of(floats))).getMessage();
		assertTrue(wrong.contains("in double precision") && wrong.contains("holds single"), wrong);
		assertTrue(assertThrows(IllegalArgumentException.class, () -> MapStore.of(ArrayImgs.ints(3, 3))).getMessage().contains("IntType"));
	}

	@Test
	void whatIsNotThereSaysSo() {
		final Img<?> image = draw(PixelType.F64, SIZE, 2);
		assertTrue(assertThrows(IllegalArgumentException.class, () -> op().algorithm("cpu-fourier-partitioned").correlate(image)).getMessage().contains("single precision"));
		assertTrue(op().explain(image).explain().contains("in double precision"));
	}
}
