package sc.fiji.ncc.command.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.LiveView;
import sc.fiji.ncc.plan.Monitor;

/** The preview of matches without windows. */
class MatchPreviewTest implements MatchPreview.Host, LiveView {

	private static final ImageInput IMAGE = image("a"), OTHER = image("b");

	private final Random random = new Random(2);
	private final Img<FloatType> pixels = noise(330, 300), template = noise(7, 6);
	private final MatchPreview preview = new MatchPreview(this);
	/** The parameters. */
	private volatile double minScore = 0.4, overlap = 0.5, falseAlarms;
	private volatile int max, total, window = 7;
	private volatile ImageInput input = IMAGE;
	/** What is shown, and how often something was computed. */
	private volatile List<Box> boxes;
	private volatile Graph graph;
	private volatile String text = "";
	private volatile int computed, opened, cleared;
	/** Blocks the computation until it is canceled. */
	private volatile boolean blocked;

	private static ImageInput image(final String name) {
		return (ImageInput) Proxy.newProxyInstance(ImageInput.class.getClassLoader(), new Class<?>[] { ImageInput.class }, (proxy, method, arguments) -> switch (method.getName()) {
			case "name", "toString" -> name;
			case "equals" -> proxy == arguments[0];
			case "hashCode" -> name.hashCode();
			default -> throw new UnsupportedOperationException(method.getName());
		});
	}

	private Img<FloatType> noise(final long... size) {
		final Img<FloatType> image = ArrayImgs.floats(size);
		image.forEach(p -> p.set((float) random.nextGaussian()));
		return image;
	}

	private TemplateMatching matching(final Monitor monitor) {
		final TemplateMatching matching = TemplateMatching.with(NormalizedCrossCorrelation.of(template).threads(1).monitor(monitor))
			.minScore(minScore).maxOverlap(overlap);
		if (falseAlarms > 0) matching.falseAlarms(falseAlarms);
		if (max > 0) matching.maxMatches(max);
		if (total > 0) matching.total(total);
		return matching;
	}

	@Override
	public MatchPreview.Search search(final Monitor monitor) {
		if (minScore > 1) throw new IllegalArgumentException("the minimum score is too high");
		return new MatchPreview.Search(input, pixels, matching(monitor), found -> boxes(found), found -> found.matches().size() + " matches");
	}

	private List<Box> boxes(final TemplateMatching.Result found) {
		final List<Box> all = new ArrayList<>();
		found.matches().forEach(m -> all.add(new Box("" + m.score(), m.template(), (int) m.position()[0], (int) m.position()[1], window, 6, 0, 0, 0, 1, 1, 1)));
		return all;
	}

	@Override
	public void compute(final BooleanSupplier canceled, final Consumer<Monitor> work) {
		computed++;
		while (blocked && !canceled.getAsBoolean()) Thread.onSpinWait();
		if (canceled.getAsBoolean()) throw new CancellationException();
		work.accept(new Monitor() {

			@Override
			public boolean canceled() {
				return canceled.getAsBoolean();
			}
		});
	}

	@Override
	public LiveView view(final ImageInput image) {
		opened++;
		return this;
	}

	@Override
	public void say(final String line) {
		text = line;
	}

	@Override
	public void show(final List<Box> all, final Graph scores) {
		graph = scores;
		boxes = all;
	}

	@Override
	public void clear() {
		boxes = null;
		cleared++;
	}

	@AfterEach
	void end() {
		preview.end(null);
		assertEquals(opened, cleared, "every image that was shown is restored");
		assertNull(boxes);
	}

	/** Waits for something that the thread of the preview does. */
	private static void await(final BooleanSupplier condition) {
		final long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			assertTrue(System.nanoTime() - start < 30e9, "it did not happen");
			Thread.onSpinWait();
		}
	}

	private void follow() {
		boxes = null;
		preview.follow("key", true);
		await(() -> boxes != null);
	}

	@Test
	void theBoxesAreThoseOfAWholeSearchAndTheMapIsComputedOnce() {
		minScore = 0.3;
		follow();
		for (int i = 0; i < 25; i++) {
			minScore = 0.3 + 0.5 * random.nextDouble();
			overlap = random.nextDouble();
			falseAlarms = random.nextInt(3) == 0 ? Math.exp(6 * random.nextDouble() - 3) : 0;
			max = random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 0;
			total = random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 0;
			follow();
			assertEquals(boxes(matching(Monitor.NONE).find(pixels)), boxes);
			assertEquals(boxes.size() + " matches", graph.note());
			assertEquals(1, graph.marks().length);
		}
		assertEquals(1, computed);
		final KeptMaxima kept = preview.end("key");
		assertNotNull(kept, "the run uses it");
		assertEquals(matching(Monitor.NONE).find(pixels).matches().size(), matching(Monitor.NONE).find(kept).matches().size());
	}

	@Test
	void aScoreBelowTheKeptMaximaComputesTheMapAgain() {
		follow();
		minScore = -0.9;
		follow();
		assertEquals(boxes(matching(Monitor.NONE).find(pixels)), boxes);
		assertEquals(2, computed);
	}

	@Test
	void anotherKeyComputesAgainAndStopsWhatIsComputed() {
		blocked = true;
		preview.follow("first", true);
		await(() -> computed == 1);
		blocked = false;
		preview.follow("second", true);
		await(() -> boxes != null);
		assertEquals(2, computed);
		assertNull(preview.end("first"), "these maxima are of other parameters");
	}

	@Test
	void theEndStopsTheComputation() {
		blocked = true;
		preview.follow("key", true);
		await(() -> computed == 1);
		assertNull(preview.end("key"));
		assertNull(boxes);
		preview.follow("key", true);
		assertEquals(1, computed);
	}

	@Test
	void withoutThePreviewTheImageIsRestoredAndTheMaximaStay() {
		follow();
		preview.follow("key", false);
		await(() -> cleared == 1);
		assertNull(boxes);
		follow();
		assertEquals(1, computed);
	}

	@Test
	void anotherImageIsShownInsteadOfTheFirst() {
		follow();
		input = OTHER;
		preview.follow("other", true);
		await(() -> cleared == 1 && boxes != null);
		assertEquals("Scores of b", graph.title());
	}

	@Test
	void valuesThatAreNotValidAreSaidAndTheBoxesStay() {
		follow();
		final List<Box> before = boxes;
		minScore = 2;
		preview.follow("key", true);
		await(() -> text.equals("the minimum score is too high"));
		preview.reject("this is no number");
		await(() -> text.equals("this is no number"));
		assertEquals(before, boxes);
		minScore = 0.6;
		follow();
		assertFalse(boxes.size() == before.size());
	}

	@Test
	void nothingStartsBeforeThePreviewIsOn() {
		preview.follow("key", false);
		preview.reject("a message");
		assertEquals("a message", text);
		assertNull(preview.end("key"));
		assertEquals(0, computed);
	}

	@Test
	void graphsShowTheScoresTheBackgroundAndTheAlarms() {
		final RandomAccessibleInterval<FloatType> large = noise(300, 300);
		final KeptMaxima kept = TemplateMatching.with(NormalizedCrossCorrelation.of(template)).keep(large, 1000);
		final Graph scores = ScoreGraphs.scores("a", "note", ScoreGraphs.histogram(kept), new double[] { 0.7, 0.7 });
		assertEquals(1, scores.marks().length, "each minimum score once");
		assertTrue(scores.x()[scores.x().length - 1] >= 0.7, "the minimum score lies on the graph");
		assertEquals(2, scores.lines().size());
		final Graph alarms = ScoreGraphs.alarms("a", kept.alarms());
		assertEquals("False alarms of a", alarms.title());
		for (int i = 1; i < alarms.x().length; i++) assertTrue(alarms.x()[i] >= alarms.x()[i - 1]);
		assertTrue(alarms.x()[alarms.x().length - 1] > 500);
	}
}
