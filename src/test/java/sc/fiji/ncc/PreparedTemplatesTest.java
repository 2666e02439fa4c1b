package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;

/** Templates that are prepared once: the responses are those of single calls, and a device that fails is replaced. */
@Timeout(60)
class PreparedTemplatesTest {

	private static final Size SIZE = Size.of(60, 45);
	/** The plan for many images can divide an image into other tiles. */
	private static final double ROUNDING = 1e-6;

	private final FakeDevice device = new FakeDevice();
	private final List<Img<UnsignedByteType>> images = List.of(RandomPixels.image(1, 60, 45), RandomPixels.image(2, 60, 45), RandomPixels.image(3, 60, 45)),
		templates = List.of(RandomPixels.image(4, 9, 7), RandomPixels.image(5, 9, 7));

	private NormalizedCrossCorrelation op(final Backend... backends) {
		return NormalizedCrossCorrelation.of(templates).backends(List.of(backends));
	}

	@AfterEach
	void nothingIsOpen() {
		assertEquals(0, device.inFlight.get());
		assertEquals(0, device.open.get());
	}

	private static void assertSame(final Response expected, final Response found) {
		assertEquals(expected.images().size(), found.images().size());
		for (int t = 0; t < expected.images().size(); t++)
			assertArrayEquals(TestImages.values(expected.images().get(t)), TestImages.values(found.images().get(t)), ROUNDING);
		assertEquals(expected.report(), found.report());
	}

	/** Maps, the best template of each lag and matches, by turns, with all settings of a correlation. */
	private static void assertAsWithout(final NormalizedCrossCorrelation op, final PixelType type, final List<? extends Img<?>> images) {
		try (PreparedTemplates prepared = op.prepare(type, Size.of(images.get(0).dimensionsAsLongArray()))) {
			for (final Img<?> image : images) {
				assertSame(op.correlate(image), prepared.correlate(image));
				final Best expected = op.best(image), found = prepared.best(image);
				assertArrayEquals(TestImages.values(expected.image()), TestImages.values(found.image()), ROUNDING);
				assertArrayEquals(TestImages.values(expected.template()), TestImages.values(found.template()));
				assertEquals(TemplateMatching.with(op).minScore(0.1).find(image).matches(), TemplateMatching.with(prepared).minScore(0.1).find(image).matches());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "cpu-direct-exact", "cpu-direct", "cpu-fourier" })
	void asSingleCalls(final String algorithm) {
		assertAsWithout(NormalizedCrossCorrelation.of(templates).algorithm(algorithm).threads(2), PixelType.U8, images);
		assertAsWithout(NormalizedCrossCorrelation.of(templates).algorithm(algorithm).extent(Extent.SAME).border(Border.MIRROR), PixelType.U8, images);
	}

	@Test
	void framesChannelsMapsOfTheCallerAndDoubles() {
		final Img<UnsignedByteType> stack = RandomPixels.image(6, 60, 45, 3);
		assertAsWithout(NormalizedCrossCorrelation.of(templates), PixelType.U8, List.of(stack));
		final JointImage image = JointImage.of(stack, 2), template = JointImage.of(RandomPixels.image(7, 9, 7, 3), 2);
		final NormalizedCrossCorrelation joint = NormalizedCrossCorrelation.of(template).precision(Precision.DOUBLE);
		try (PreparedTemplates prepared = joint.prepare(PixelType.U8, SIZE)) {
			assertSame(joint.correlate(image), prepared.correlate(image));
			final Img<net.imglib2.type.numeric.real.DoubleType> map = ArrayImgs.doubles(52, 39);
			assertEquals(map, prepared.correlate(image, List.of(map)).doubleMap());
			assertArrayEquals(TestImages.values(joint.correlate(image).doubleMap()), TestImages.values(map));
		}
	}

	/** The templates are prepared once for each kind of result, not for each image. */
	@Test
	void aCallPreparesNothing() {
		try (PreparedTemplates prepared = op(device).prepare(PixelType.U8, SIZE)) {
			assertEquals(1, device.prepared.get());
			for (final Img<UnsignedByteType> image : images) assertSame(op(device, new CpuBackend(1)).algorithm("fake-direct").correlate(image),
				prepared.correlate(image));
			assertEquals(1 + images.size(), device.prepared.get(), "preparations, those of the calls without included");
			images.forEach(prepared::best);
			assertEquals(2 + images.size(), device.prepared.get());
			assertEquals(2, device.open.get());
			assertEquals("fake-direct", prepared.explain().get(0).best().orElseThrow().name());
		}
	}

	private void assertWhole(final Consumer<FakeDevice> fault) {
		final CpuBackend cpu = new CpuBackend(1);
		try (PreparedTemplates prepared = op(device, cpu).prepare(PixelType.U8, SIZE)) {
			prepared.correlate(images.get(0));
			fault.accept(device);
			for (final Img<UnsignedByteType> image : images) {
				final Response found = prepared.correlate(image);
				assertArrayEquals(TestImages.values(op(cpu).correlate(image).maps().get(1)), TestImages.values(found.maps().get(1)), 2e-5);
				assertEquals("cpu", found.ranking().best().orElseThrow().device().id());
			}
		}
	}

	@Test
	void afterALaunchThatFails() {
		assertWhole(d -> d.failLaunch = d.submissions.get());
	}

	@Test
	void afterTheLossOfTheDevice() {
		assertWhole(d -> d.loseAt = d.submissions.get());
	}

	@Test
	void withoutMemoryOnTheDevice() {
		device.failAllocation = true;
		assertWhole(d -> {});
		try (PreparedTemplates prepared = op(device, new CpuBackend(1)).prepare(PixelType.U8, SIZE)) {
			assertEquals("cpu", prepared.correlate(images.get(0)).ranking().best().orElseThrow().device().id());
		}
		assertThrows(NccException.class, () -> op(device).prepare(PixelType.U8, SIZE));
	}

	@Test
	void otherImagesAndClosedTemplates() {
		final PreparedTemplates prepared = op(new CpuBackend(1)).prepare(PixelType.U8, SIZE);
		assertEquals("prepared for U8 images of 60x45: normalized cross-correlation of 2 templates of 9x7, valid positions", prepared.toString());
		refused("the templates were prepared for images of 60x45 and type U8, the image has 60x44 and U8", () -> prepared.correlate(RandomPixels.image(1, 60, 44)));
		// before the work on the layout and the ranking: nothing else may be said about such an image
		refused("the templates were prepared for images of 60x45 and type U8, the image has 5x4 and U8", () -> prepared.correlate(RandomPixels.image(1, 5, 4)));
		refused("and type U8, the image has 60x45 and F32", () -> prepared.best(ArrayImgs.floats(60, 45)));
		prepared.close();
		prepared.close();
		refused("closed: prepare them again", () -> prepared.correlate(images.get(0)));
		refused("is larger than the image", () -> op(new CpuBackend(1)).prepare(PixelType.U8, Size.of(60, 6)));
	}

	@Test
	void theSearchedImageIsNoMap() {
		final Img<FloatType> image = ArrayImgs.floats(60, 45);
		try (PreparedTemplates prepared = op(new CpuBackend(1)).extent(Extent.SAME).prepare(PixelType.F32, SIZE)) {
			refused("the map cannot be written into the image that is searched", () -> prepared.correlate(image, List.of(ArrayImgs.floats(60, 45), image)));
		}
	}

	/** The start of a process or a device counts for many images. */
	@Test
	void theAlgorithmIsChosenForManyImages() {
		try (PreparedTemplates prepared = op(new CpuBackend(1)).prepare(PixelType.U8, SIZE)) {
			assertTrue(prepared.explain().get(0).problem().frames() >= 100, prepared.explain().toString());
			assertEquals(prepared.explain().get(0).problem(), prepared.correlate(images.get(0)).ranking().problem());
		}
	}

	/** A device that failed once is not lost for all later images, if nothing else is left. */
	@Test
	void afterEveryCandidateFailed() {
		try (PreparedTemplates prepared = op(device).prepare(PixelType.U8, SIZE)) {
			device.failLaunch = device.submissions.get();
			assertThrows(NccException.class, () -> prepared.correlate(images.get(0)));
			assertSame(op(device).correlate(images.get(1)), prepared.correlate(images.get(1)));
		}
	}

	private static void refused(final String words, final Runnable call) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		assertTrue(message.contains(words), message);
	}

	@Test
	@Tag("gpu")
	void onTheGpu() {
		RequiredGpu.require();
		for (final String algorithm : List.of("cuda-direct-exact", "cuda-direct", "cuda-fourier"))
			assertAsWithout(NormalizedCrossCorrelation.of(templates).algorithm(algorithm), PixelType.U8, images);
	}
}
