package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.fixture.EffectImages;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseSupport;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.PosesFound;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.stitch.MosaicSample;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

/** Every setter of every entry point of Java has an input on which it changes the result. The setters are found by reflection. */
class SetterEffectTest {

	@TempDir
	Path folder;

	private final Set<String> tried = new TreeSet<>(), wrong = new TreeSet<>();

	/** The results of operations without a further setter, which many setters share. */
	private final Map<List<Object>, String> unchanged = new HashMap<>();

	private String wisdom;

	@BeforeEach
	void save() throws IOException {
		EffectImages.save(folder);
		wisdom = System.getProperty("ncc.wisdom");
		System.setProperty("ncc.wisdom", folder.resolve("wisdom.txt").toString());
	}

	@AfterEach
	void restoreWisdom() {
		if (wisdom == null) System.clearProperty("ncc.wisdom");
		else System.setProperty("ncc.wisdom", wisdom);
	}

	private RandomAccessibleInterval<?> image(final String name) {
		return ImageFiles.read(folder.resolve(name).toString()).pixels();
	}

	/** Results as text, without times and plans. */
	private static String text(final Object result) {
		if (result instanceof Response r) 
			return r.images().stream().map(SetterEffectTest::text).toList() + " " + r.origins().stream().map(Arrays::toString).toList();
		if (result instanceof Img<?> i) return Arrays.toString(TestImages.size(i)) + i.firstElement().getClass() + Arrays.toString(TestImages.values(i));
		if (result instanceof TemplateMatching.Result r) 
			return r.matches().stream().map(m -> m + " " + m.quality() + Arrays.deepToString(m.covariance())).toList().toString();
		if (result instanceof Drift d) return d.frames().toString();
		if (result instanceof PosesFound f) return f.matches() + " " + f.maps().stream().map(m -> text(m.score()) + text(m.pose())).toList();
		if (result instanceof Tracks t) return t.points().toString();
		return result.toString();
	}

	/** @param operation makes an operation anew; @param setter sets one thing; @param run computes a result */
	private <T> void changes(final String name, final Supplier<T> operation, final Consumer<T> setter, final Function<T, ?> run) {
		final T other = operation.get();
		setter.accept(other);
		final String without = unchanged.computeIfAbsent(List.of(operation, run), o -> {
			final String first = text(run.apply(operation.get()));
			assertEquals(first, text(run.apply(operation.get())), "the same twice: " + name);
			return first;
		});
		if (without.equals(text(run.apply(other)))) wrong.add(name);
		tried.add(name);
	}

	private void sliding() {
		final RandomAccessibleInterval<?> image = image("image.tif"), template = image("template.tif");
		final Supplier<NormalizedCrossCorrelation> ncc = () -> NormalizedCrossCorrelation.of(template);
		final Function<NormalizedCrossCorrelation, ?> run = o -> o.correlate(image), plan = o -> o.explain(image).explain();
		changes("NormalizedCrossCorrelation mask", ncc, o -> o.mask(image("mask.tif")), run);
		changes("NormalizedCrossCorrelation masks", ncc, o -> o.masks(List.of(image("mask.tif"))), run);
		changes("NormalizedCrossCorrelation weights", ncc, o -> o.weights(image("weights.tif")), run);
		changes("NormalizedCrossCorrelation nan", ncc, o -> o.nan(NaNs.MISSING), o -> o.correlate(image("nan.tif")));
		changes("NormalizedCrossCorrelation minOverlap", () -> ncc.get().extent(Extent.FULL), o -> o.minOverlap(0.9), run);
		changes("NormalizedCrossCorrelation inside", ncc, o -> o.inside(FinalInterval.createMinSize(5, 5, 40, 40)), run);
		changes("NormalizedCrossCorrelation imageMask", ncc, o -> o.imageMask(image("half.tif")), run);
		changes("NormalizedCrossCorrelation responseType", ncc, o -> o.responseType(ResponseType.BITS_8), run);
		changes("SlidingOp search", ncc, o -> o.search(FinalInterval.createMinSize(5, 5, 20, 20)), run);
		changes("SlidingOp extent", ncc, o -> o.extent(Extent.SAME), run);
		changes("SlidingOp border", () -> ncc.get().extent(Extent.SAME), o -> o.border(Border.MIRROR), run);
		changes("SlidingOp undefined", ncc, o -> o.undefined(Undefined.NAN), run);
		changes("SlidingOp heap", ncc, o -> o.heap(1 << 20), o -> o.call().storing().memory());
		changes("ComputingOp threads", ncc, o -> o.threads(1), plan);
		changes("ComputingOp memory", ncc, o -> o.memory(1000), plan);
		changes("ComputingOp backend", ncc, o -> o.backend("none"), o -> outcome(() -> o.correlate(image)));
		changes("ComputingOp algorithm", ncc, o -> o.algorithm("cpu-fourier"), plan);
		changes("ComputingOp effort", () -> ncc.get().algorithm("cpu-direct"), o -> o.effort(Effort.MEASURE, 1), plan);
		changes("ComputingOp precision", ncc, o -> o.precision(Precision.DOUBLE), run);
		changes("ComputingOp compute", ncc, o -> o.compute(ComputeOptions.DEFAULT.precision(Precision.DOUBLE)), run);
		changes("ComputingOp monitor", ncc, o -> o.monitor(CANCELED), o -> outcome(() -> o.correlate(image)));
		changes("Convolution sense", () -> Convolution.of(template), o -> o.sense(Sense.CORRELATION), o -> o.convolve(image));
	}

	private static String outcome(final Supplier<?> call) {
		try {
			return text(call.get());
		}
		catch (final RuntimeException e) {
			return e.toString();
		}
	}

	private void matching() {
		final RandomAccessibleInterval<?> image = image("image.tif"), template = image("template.tif");
		final Supplier<TemplateMatching> op = () -> TemplateMatching.with(NormalizedCrossCorrelation.of(template)).minScore(0.2);
		final Function<TemplateMatching, ?> run = o -> o.find(image);
		changes("TemplateMatching maxMatches", op, o -> o.maxMatches(1), run);
		changes("TemplateMatching total", op, o -> o.total(1), run);
		changes("TemplateMatching minScore", op, o -> o.minScore(0.5), run);
		changes("TemplateMatching falseAlarms", op, o -> o.falseAlarms(0.05), run);
		changes("TemplateMatching maxOverlap", op, o -> o.maxOverlap(0), run);
		changes("TemplateMatching refine", op, o -> o.refine(true), run);
		changes("TemplateMatching quality", op, o -> o.quality(true), run);
		changes("TemplateMatching compete", () -> TemplateMatching.with(NormalizedCrossCorrelation.of(List.of(template, image("larger.tif"))))
			.minScore(0.2), o -> o.compete(false), run);
	}

	private void tracking() {
		final RandomAccessibleInterval<?> stack = image("drift.tif");
		final Supplier<TemplateTracking> op = () -> TemplateTracking.ofRegions(List.of(FinalInterval.createMinSize(12, 12, 12, 10))).maxShift(10, 10);
		final Function<TemplateTracking, ?> run = o -> o.track(stack);
		final RandomAccessibleInterval<?> box = image("box.tif");
		changes("TemplateTracking update", op, o -> o.update(Update.PREVIOUS), run);
		changes("TemplateTracking reference", op, o -> o.reference(4), run);
		changes("TemplateTracking nan", op, o -> o.nan(NaNs.MISSING), o -> o.track(image("gaps.tif")));
		changes("TemplateTracking weights", op, o -> o.weights(List.of(box)), run);
		changes("TemplateTracking masks", op, o -> o.masks(List.of(mask(12, 10))), run);
		changes("TemplateTracking minOverlap", () -> op.get().imageMask(image("hole.tif")), o -> o.minOverlap(1), run);
		changes("TemplateTracking imageMask", op, o -> o.imageMask(image("hole.tif")), run);
		changes("TemplateTracking minScore", op, o -> o.minScore(0.99), run);
		changes("TemplateTracking refine", op, o -> o.refine(true), run);
		changes("TemplateTracking maxShift", op, o -> o.maxShift(1, 1), run);
		changes("TemplateTracking follow", () -> op.get().maxShift(2, 2), o -> o.follow(false), run);
		changes("TemplateTracking everywhere", () -> op.get().maxShift(1, 1), TemplateTracking::everywhere, run);
	}

	private void poses() {
		final RandomAccessibleInterval<?> image = image("poses.tif"), template = image("pose.tif");
		final Supplier<PoseSearch> op = () -> PoseSearch.of(template).angles(0, 90, 320).minScore(0.4);
		final Function<PoseSearch, ?> run = o -> o.find(image);
		changes("PoseSearch mirrored", op, o -> o.mirrored(true), run);
		changes("PoseSearch masks", () -> op.get().support(PoseSupport.WHOLE), o -> o.masks(List.of(mask(15, 15))), run);
		changes("PoseSearch maps", op, o -> o.maps(true), run);
		changes("PoseSearch maxMatches", op, o -> o.maxMatches(1), run);
		changes("PoseSearch minScore", op, o -> o.minScore(0.95), run);
		changes("PoseSearch falseAlarms", op, o -> o.falseAlarms(1e-6), run);
		changes("PoseSearch compete", () -> PoseSearch.of(List.of(template, image("poses2.tif"))).angles(0, 90).minScore(0.3), o -> o.compete(false), run);
		changes("PoseSearch refine", op, o -> o.refine(false), run);
		changes("PoseSearch inside", op, o -> o.inside(FinalInterval.createMinSize(0, 0, 60, 40)), run);
		changes("PoseSearch maxOverlap", () -> op.get().minScore(0.1), o -> o.maxOverlap(0), run);
		changes("PoseSearch angleRange", op, o -> o.angleRange(0, 360, 10), run);
		changes("PoseSearch angles", op, o -> o.angles(0), run);
		changes("PoseSearch poses", op, o -> o.poses(PoseGrid.DEFAULT), run);
		changes("PoseSearch scaleRange", op, o -> o.scaleRange(1, 1.3, 1.1), run);
		changes("PoseSearch scales", op, o -> o.scales(1, 1.25), run);
		changes("PoseSearch support", op, o -> o.support(PoseSupport.WHOLE), run);
		changes("PoseSearch ring", () -> op.get().support(PoseSupport.RING), o -> o.ring(0.8), run);
		final List<double[]> half = List.of(PoseGrid.euler(180, 0, 0));
		final RandomAccessibleInterval<?> volume = Views.hyperSlice(image("volumes.tif"), 3, 0);
		final Supplier<PoseSearch> op3 = () -> PoseSearch.of(cut(volume)).rotations(List.of(new double[] { 1, 0, 0, 0 })).minScore(0.1);
		changes("PoseSearch rotations", op3, o -> o.rotations(half), o -> o.find(volume));
	}

	private static RandomAccessibleInterval<?> cut(final RandomAccessibleInterval<?> volume) {
		return Views.interval(volume, FinalInterval.createMinSize(4, 4, 1, 7, 7, 7));
	}

	private RandomAccessibleInterval<?> mask(final long width, final long height) {
		return Views.zeroMin(Views.interval(image("hole.tif"), FinalInterval.createMinSize(10, 0, width, height)));
	}

	private void registration() {
		final RandomAccessibleInterval<?> fixed = image("fixed.tif"), moving = image("moving.tif"), hole = image("hole.tif");
		final Supplier<Registration> op = () -> Registration.of(fixed);
		final Function<Registration, ?> run = o -> o.register(moving);
		changes("ComputingOp backend", op, o -> o.backend("cuda"), o -> outcome(() -> o.explain(moving).best().orElseThrow().name()));
		changes("ComputingOp compute", op, o -> o.compute(ComputeOptions.DEFAULT.backend("cuda")), o -> outcome(() ->
			o.explain(moving).best().orElseThrow().name()));
		changes("ComputingOp monitor", op, o -> o.monitor(CANCELED), o -> outcome(() -> o.register(moving)));
		changes("Registration minOverlap", op, o -> o.minOverlap(0.95), run);
		changes("Registration peaks", op, o -> o.peaks(4), run);
		changes("Registration maxShift", op, o -> o.maxShift(1, 1), run);
		changes("Registration subpixel", op, o -> o.subpixel(false), run);
		changes("Registration fixedMask", op, o -> o.fixedMask(hole), run);
		changes("Registration movingMask", op, o -> o.movingMask(hole), run);
		final RandomAccessibleInterval<?> stack = image("drift.tif");
		final Supplier<DriftCorrection> drift = () -> DriftCorrection.ofFrames(2);
		final Function<DriftCorrection, ?> measure = o -> o.measure(stack);
		changes("DriftCorrection reference", drift, o -> o.reference(DriftReference.FIRST), measure);
		changes("ComputingOp backend", drift, o -> o.backend("cuda"), o -> outcome(() -> o.explain(List.of(stack)).best().orElseThrow().name()));
		changes("ComputingOp compute", drift, o -> o.compute(ComputeOptions.DEFAULT.backend("cuda")), o -> outcome(() ->
			o.explain(List.of(stack)).best().orElseThrow().name()));
		changes("ComputingOp monitor", drift, o -> o.monitor(CANCELED), o -> outcome(() -> o.measure(stack)));
		changes("DriftCorrection minOverlap", () -> drift.get().reference(DriftReference.FIRST), o -> o.minOverlap(0.95), measure);
		changes("DriftCorrection inside", drift, o -> o.inside(FinalInterval.createMinSize(4, 4, 30, 30)), measure);
		changes("DriftCorrection imageMask", drift, o -> o.imageMask(hole), measure);
		changes("DriftCorrection maxShift", drift, o -> o.maxShift(2, 2), measure);
		changes("DriftCorrection subpixel", drift, o -> o.subpixel(false), measure);
		changes("DriftCorrection smoothing", () -> drift.get().moveDoubtful(true), o -> o.smoothing(2), measure);
		changes("DriftCorrection moveDoubtful", drift, o -> o.moveDoubtful(true), measure);
		changes("DriftCorrection piecewise", () -> drift.get().reference(DriftReference.FIRST), o -> o.piecewise(24, 24), measure);
		final RandomAccessibleInterval<?> volumes = image("volumes.tif");
		changes("DriftCorrection projections", () -> DriftCorrection.ofFrames(3), o -> o.projections(true), o -> o.measure(volumes));
	}

	private void stitching() {
		final Supplier<Stitching> op = () -> Stitching.of(MosaicSample.tiles());
		final Function<Stitching, ?> run = Stitching::measure;
		changes("Stitching stageError", op, o -> o.stageError(9, 9), run);
		changes("Stitching falseAlarms", op, o -> o.falseAlarms(1e-100), run);
		changes("Stitching rejection", op, o -> o.rejection(1), run);
		changes("Stitching flatField", op, o -> o.flatField(ramp(), 0), run);
		changes("Stitching flatFieldOfTiles", op, o -> o.flatFieldOfTiles(0), run);
		changes("Stitching measuredOn", op, o -> o.measuredOn(i -> Views.zeroMin(Views.invertAxis(i, 0))), run);
	}

	private void motion() {
		final RandomAccessibleInterval<?> stack = image("drift.tif"), hole = image("hole.tif");
		final Supplier<MotionField> op = () -> MotionField.ofWindows(12, 12).passes(1);
		final Function<MotionField, ?> run = o -> o.measure(stack).fields().stream().map(f -> f.grid() + " " + f.vectors() + f.from()).toList();
		changes("MotionField spacing", op, o -> o.spacing(4, 4), run);
		changes("MotionField maxShift", op, o -> o.maxShift(1, 1), run);
		changes("MotionField passes", op, o -> o.passes(2), run);
		changes("MotionField reference", op, o -> o.reference(DriftReference.FIRST), run);
		changes("MotionField doubleFrames", op, o -> o.doubleFrames(true), run);
		changes("MotionField ensemble", op, o -> o.ensemble(true), run);
		changes("MotionField shape", op, o -> o.shape(WindowPairs.Shape.GAUSSIAN), run);
		changes("MotionField falseAlarms", op, o -> o.falseAlarms(1e-12), run);
		changes("MotionField refine", op, o -> o.refine(false), run);
		changes("MotionField minScore", op, o -> o.minScore(0.95), run);
		changes("MotionField minRatio", op, o -> o.minRatio(5), run);
		changes("MotionField maxResidual", op, o -> o.maxResidual(0.2), run);
		changes("MotionField keepRejected", op, o -> o.keepRejected(true), run);
		changes("MotionField smoothing", op, o -> o.smoothing(1), run);
		changes("MotionField imageMask", op, o -> o.imageMask(hole), run);
		changes("MotionField gridMask", op, o -> o.gridMask(hole), run);
		changes("MotionField minOverlap", () -> op.get().imageMask(hole), o -> o.minOverlap(1), run);
		final RandomAccessibleInterval<?> gaps = image("gaps.tif");
		changes("MotionField nan", op, o -> o.nan(NaNs.MISSING), o -> o.measure(gaps).fields().stream().map(f -> f.vectors()).toList());
	}

	private static RandomAccessibleInterval<?> ramp() {
		final float[] pixels = new float[MosaicSample.WIDTH * MosaicSample.HEIGHT];
		for (int i = 0; i < pixels.length; i++) pixels[i] = 1 + i % MosaicSample.WIDTH / 100f;
		return ArrayImgs.floats(pixels, MosaicSample.WIDTH, MosaicSample.HEIGHT);
	}

	private static final Monitor CANCELED = new Monitor() {
		@Override
		public boolean canceled() {
			return true;
		}
	};

	private static Set<String> setters() {
		final Set<String> all = new TreeSet<>();
		for (final Class<?> c : List.of(NormalizedCrossCorrelation.class, TemplateMatching.class, TemplateTracking.class, PoseSearch.class,
			Registration.class, DriftCorrection.class, Stitching.class, MotionField.class, Convolution.class))
			for (final Method m : c.getMethods())
				if (!Modifier.isStatic(m.getModifiers()) && m.getReturnType().getName().startsWith("sc.fiji.ncc.") && m.getReturnType().isAssignableFrom(c))
					all.add(m.getDeclaringClass().getSimpleName() + " " + m.getName());
		return all;
	}

	@Test
	void everySetterChangesTheResultOfSomeInput() {
		sliding();
		matching();
		tracking();
		poses();
		registration();
		stitching();
		motion();
		assertEquals(Set.of(), wrong, "setters without an effect");
		assertEquals(setters(), tried);
	}
}
