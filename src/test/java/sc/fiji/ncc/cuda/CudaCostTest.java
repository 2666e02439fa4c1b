package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.UnopenedGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** What counts in the predicted time of a GPU, whatever its constants are. Needs no GPU. */
class CudaCostTest {

	private static final int PROCESSORS = 132, SIDE = 500, TEMPLATE = 20;

	private static Correlation problem(final Lags lags, final int templates, final Result result, final int frames) {
		final Correlation maps = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(SIDE, SIDE),
			Collections.nCopies(templates, Size.of(TEMPLATE, TEMPLATE)), Weights.NONE, lags, frames);
		return new Correlation(maps.windows(), maps.weights(), 1, result);
	}

	private static Correlation problem(final int templates, final Result result, final int frames) {
		return problem(Lags.inside(Size.of(SIDE - TEMPLATE + 1, SIDE - TEMPLATE + 1)), templates, result, frames);
	}

	private static CudaCost cost(final Constants constants) {
		return new CudaCost(null, PROCESSORS, 1, constants);
	}

	/** On two GPUs that compute in no time, the copies remain. */
	private static double copies(final Correlation p) {
		return cost(Constants.SHIPPED).spread(new Cost(0, 0, 0, 0), p, 2).seconds() / p.frames();
	}

	/** The pixels inside the image, and their mask, go to the GPU; nothing, the best response or all of them come back. */
	@Test
	void whatIsCopied() {
		final double sent = copies(problem(3, Result.PEAKS, 10)), best = copies(problem(3, Result.BEST, 10)) - sent;
		assertTrue(sent > 0 && best > 0 && copies(problem(3, Result.MAP, 10)) - sent > best);
		assertEquals(best, copies(problem(8, Result.BEST, 10)) - sent, 1e-12, "the best response and its template");
		assertEquals(4 * best / 5, copies(problem(1, Result.BEST, 10)) - sent, 1e-12, "without its template");
		final Size all = Size.of(SIDE + TEMPLATE - 1, SIDE + TEMPLATE - 1), inside = Size.of(SIDE - TEMPLATE + 1, SIDE - TEMPLATE + 1);
		assertEquals(sent, copies(problem(Lags.inside(all), 3, Result.PEAKS, 10)), 1e-12, "no pixels beyond the image");
		assertEquals(2 * sent, copies(problem(new Lags(inside, false, true, 1, false), 3, Result.PEAKS, 10)), 1e-12, "as many bytes of the mask");
	}

	/** Each of several GPUs starts. A single image is cut for them. */
	@Test
	void severalGpus() {
		final Cost spread = cost(Constants.SHIPPED).spread(new Cost(7, 3, 0.25, 0, 0), problem(1, Result.MAP, 1), 4);
		assertEquals(1, spread.startSeconds());
		assertEquals(12, spread.onceSeconds());
		final double cutting = copies(problem(1, Result.MAP, 1)) - copies(problem(1, Result.MAP, 10));
		assertTrue(cutting > 0 && cutting < 1e-3, cutting + " s");
	}

	/** Small frames leave multiprocessors idle, unless the blocks of up to three of them run at once. */
	@Test
	void idleMultiprocessors() {
		final CudaCost costs = cost(Constants.SHIPPED);
		final double one = costs.idle(problem(1, Result.MAP, 1), 100, 100);
		assertEquals(PROCESSORS / 25.0, one, 1e-12, "5x5 blocks");
		assertEquals(one / 2, costs.idle(problem(1, Result.MAP, 2), 100, 100), 1e-12);
		for (final int frames : new int[] { 3, 100 }) assertEquals(one / 3, costs.idle(problem(1, Result.MAP, frames), 100, 100), 1e-12);
		assertEquals(1, costs.idle(problem(1, Result.MAP, 1), 10, 10));
	}

	/** Four threads prepare templates, and each template but the first one takes a further time. */
	@Test
	void templatesOneByOne() {
		final double following = 100;
		final CudaCost costs = cost((name, shipped) -> name.equals("following-template") ? following : shipped);
		final double[] seconds = new double[6];
		for (int n = 1; n < 6; n++) seconds[n] = costs.templatesOneByOne(problem(n, Result.MAP, 1), "template-pixel", 1);
		final double pixels = TEMPLATE * TEMPLATE;
		for (int n = 1; n < 6; n++) assertEquals(n * pixels / Math.min(4, n) + (n - 1) * following, seconds[n], 1e-9, n + " templates");
	}

	private static Set<String> requested(final Correlation p) {
		final Set<String> names = new TreeSet<>();
		try (UnopenedGpu unopened = new UnopenedGpu()) {
			final CudaDevice gpu = Driver.devices().list().get(0);
			new CudaDirect().cost(p, new CudaCost(gpu, (name, shipped) -> {
				names.add(name);
				return shipped;
			}));
		}
		return names;
	}

	/** A single large map is copied in slabs. */
	@Test
	void slabsHaveACost() {
		assertTrue(requested(problem(1, Result.MAP, 1)).contains("frame-slabs"));
		assertFalse(requested(problem(1, Result.PEAKS, 1)).contains("frame-slabs"), "no map");
		assertFalse(requested(problem(1, Result.MAP, 2)).contains("frame-slabs"), "several frames");
		assertFalse(requested(problem(Lags.inside(Size.of(100, 100)), 1, Result.MAP, 1)).contains("frame-slabs"), "a small map");
	}

	/** What a constant adds to the time of a frame, for each unit of it. */
	private static double weight(final String constant, final CudaAlgorithm<Correlation> algorithm, final Correlation p) {
		try (UnopenedGpu unopened = new UnopenedGpu()) {
			final CudaDevice gpu = Driver.devices().list().get(0);
			final double more = 1e3;
			return (algorithm.cost(p, new CudaCost(gpu, (name, shipped) -> shipped + (name.equals(constant) ? more : 0))).frameSeconds()
				- algorithm.cost(p, new CudaCost(gpu, Constants.SHIPPED)).frameSeconds()) / more / p.frames();
		}
	}

	/** Copies take longest where nothing else goes on beside them, and shortest beside other frames. */
	@Test
	void copiesBesideOtherWork() {
		final double pixels = SIDE * SIDE;
		assertEquals(pixels, weight("byte", new CudaDirect(), problem(1, Result.MAP, 10)), 1e-6 * pixels);
		final double slabs = weight("byte", new CudaDirect(), problem(1, Result.MAP, 1)), whole = weight("byte", new CudaFourier(), problem(1, Result.MAP, 1));
		assertTrue(slabs > 1.1 * pixels && whole > 1.1 * slabs, slabs + ", " + whole);
	}

	/** The bytes of a map have one constant for a single image and another one for frames of a stream. */
	@Test
	void mapsOfStreams() {
		for (final int frames : new int[] { 1, 10 }) {
			final Correlation p = problem(1, Result.MAP, frames);
			final double bytes = p.responseBytes() * (double) p.lags().count().pixels();
			final double single = weight("result-byte", new CudaDirect(), p), many = weight("result-byte-of-many", new CudaDirect(), p);
			assertEquals(frames > 1 ? bytes : 0, many, 1e-6 * bytes, frames + " frames");
			assertTrue(frames > 1 ? Math.abs(single) < 1e-6 * bytes : single > 1.1 * bytes, frames + " frames: " + single);
		}
	}

	/** The first template has no time of its own. */
	@Test
	void eachFurtherTemplateHasACost() {
		for (int n = 1; n < 4; n++) assertEquals(n - 1, weight("round", new CudaDirect(), problem(n, Result.PEAKS, 1)), 1e-6);
	}

	/** Templates that run together take the pixels of the image once. */
	@Test
	void pixelsAreSentOnce() {
		try (UnopenedGpu unopened = new UnopenedGpu()) {
			final CudaCost costs = new CudaCost(Driver.devices().list().get(0), Constants.SHIPPED);
			final Correlation few = problem(Lags.inside(Size.of(9, 9)), 2, Result.MAP, 1), many = problem(2, Result.MAP, 1);
			assertEquals(2 * 28 * 28 + 4 * 2 * 81, costs.together(few, 0, 0, 0).hostBytes());
			assertEquals(SIDE * SIDE + 4 * 2 * 481 * 481, costs.together(many, 0, 0, 0).hostBytes());
		}
	}
}
