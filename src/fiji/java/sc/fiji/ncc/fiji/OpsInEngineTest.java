package sc.fiji.ncc.fiji;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.scijava.ops.api.OpEnvironment;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.track.TrackPoint;

/** The ops of this plugin, found and called by the engine of SciJava Ops by name and types. */
class OpsInEngineTest {

	private static OpEnvironment ops;

	private final Img<UnsignedByteType> image = RandomPixels.image(1, 60, 50);
	private final RandomAccessibleInterval<UnsignedByteType> template = cut(20, 10, 8, 7), moved = cut(3, -2, 60, 50);
	private final List<Interval> regions = List.of(new FinalInterval(new long[] { 20, 10 }, new long[] { 31, 19 }));

	@BeforeAll
	static void build() {
		ops = OpEnvironment.build();
	}

	/** A part of the image, which is mirrored beyond its border. */
	private RandomAccessibleInterval<UnsignedByteType> cut(final long x, final long y, final long width, final long height) {
		return Views.zeroMin(Views.interval(Views.extendMirrorSingle(image), new FinalInterval(new long[] { x, y }, new long[] { x + width - 1, y + height - 1 })));
	}

	private static Object call(final String name, final Object... inputs) {
		final var op = ops.op(name);
		switch (inputs.length) {
			case 1:
				return op.input(inputs[0]).apply();
			case 2:
				return op.input(inputs[0], inputs[1]).apply();
			case 3:
				return op.input(inputs[0], inputs[1], inputs[2]).apply();
			default:
				return op.input(inputs[0], inputs[1], inputs[2], inputs[3]).apply();
		}
	}

	private static void assertSame(final Img<?> expected, final Object found) {
		assertArrayEquals(TestImages.values(expected), TestImages.values((Img<?>) found));
	}

	@Test
	void correlation() {
		final NormalizedCrossCorrelation ncc = NormalizedCrossCorrelation.of(template);
		assertSame(ncc.correlate(image).map(), call("filter.ncc", image, template));
		assertSame(ncc.extent(Extent.SAME).correlate(image).map(), call("filter.normalizedCrossCorrelation", image, template, Extent.SAME));
		assertSame(ncc.border(Border.MIRROR).correlate(image).map(), call("filter.ncc", image, template, Extent.SAME, Border.MIRROR));
		final List<?> maps = (List<?>) call("filter.ncc", image, List.of(template, template));
		assertSame(NormalizedCrossCorrelation.of(template).correlate(image).map(), maps.get(1));
	}

	@Test
	void matches() {
		for (final Object found : List.of(call("segment.matchTemplate", image, template), call("segment.matchTemplate", image, List.of(template), 0.9),
			call("segment.matchTemplateByFalseAlarms", image, template, 0.05)))
			assertArrayEquals(new long[] { 20, 10 }, ((Match) ((List<?>) found).get(0)).position());
		assertEquals(1, ((List<?>) call("segment.matchTemplate", image, template, -1.0, 1)).size());
		final PoseMatch turned = (PoseMatch) ((List<?>) call("segment.matchRotatedTemplate", image, template, new double[] { 0, 90 })).get(0);
		assertArrayEquals(new long[] { 20, 10 }, turned.position());
		assertEquals(0, turned.pose().angle(), 1);
	}

	@Test
	void convolution() {
		assertSame(Convolution.of(template).extent(Extent.VALID).convolve(image).map(), call("filter.convolve", image, template, Extent.VALID));
	}

	@Test
	void shifts() {
		final Alignment shift = (Alignment) call("image.measureShift", image, moved);
		assertArrayEquals(new double[] { -3, 2 }, shift.shift(), 0.05);
		final RandomAccessibleInterval<UnsignedByteType> stack = Views.stack(image, moved);
		final Drift drift = (Drift) call("image.measureDrift", stack, new long[] { 9, 9 });
		assertArrayEquals(new double[] { -3, 2 }, drift.frames().get(1).shift(), 0.05);
		final Img<?> corrected = (Img<?>) call("transform.correctDrift", stack, drift, Interpolation.INTEGER, Outside.CROP);
		assertArrayEquals(new long[] { 57, 48, 2 }, corrected.dimensionsAsLongArray());
	}

	@Test
	void tracking() {
		final List<?> points = (List<?>) call("segment.trackTemplate", Views.stack(image, moved), regions, new long[] { 5, 5 });
		assertEquals(2, points.size());
		assertArrayEquals(new double[] { 17, 12 }, ((TrackPoint) points.get(1)).subpixel(), 0.1);
	}

	@Test
	void descriptions() {
		assertTrue(ops.help("segment.matchRotatedTemplate").contains("number[] = null, number = null, number = null"), () -> ops.help("segment.matchRotatedTemplate"));
	}
}
