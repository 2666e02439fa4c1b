package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

import net.imglib2.FinalInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.VectorField;
import sc.fiji.ncc.motion.WindowGrid;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseSupport;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.BestPoses;
import sc.fiji.ncc.result.Deformation;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.ImageStore;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.result.PeakQuality;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.result.PosesFound;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.stitch.Fusion;
import sc.fiji.ncc.stitch.Tile;
import sc.fiji.ncc.store.DriftFile;
import sc.fiji.ncc.track.TrackMateFile;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

/**
 * Every public method and constructor of the API throws an IllegalArgumentException with a sentence for an argument that is null, unless its
 * documentation gives null a meaning. The methods are found by reflection, so that none is forgotten.
 */
class NullArgumentsTest {

	private static final Img<FloatType> IMAGE = noise(24, 20, 1), TEMPLATE = noise(5, 5, 2);
	private static final NormalizedCrossCorrelation NCC = NormalizedCrossCorrelation.of(TEMPLATE).backend("cpu").threads(1);
	private static final FrameShift SHIFT = new FrameShift(0, new double[2], 1, 1, 0, 0.5, false, FrameShift.State.OK);
	private static final Drift DRIFT = new Drift(new long[] { 24, 20 }, "first", List.of(SHIFT));
	private static final Match MATCH = new Match(0, new long[0], new long[2], 1, new double[2]);
	private static final TrackPoint POINT = new TrackPoint(0, 0, new long[2], new double[2], 1, 0.5, false, new double[2], false);
	private static final TrackMateFile.Image FILE = new TrackMateFile.Image("name", "folder", new long[] { 24, 20 }, 0, 1,
		new double[] { 1, 1, 1 }, "pixel", 1, "frame");
	private static final Tile TILE = Tile.of("a", IMAGE, 0, 0);
	private static final Mosaic.Link LINK = new Mosaic.Link(0, 1, new double[2], 1, 0, 0, null, 0, 0, true, "");
	private static final MotionVector VECTOR = new MotionVector(new double[2], new double[2], 1, 0.5, null, MotionVector.State.MEASURED);
	private static final VectorField FIELD = new VectorField(new WindowGrid(Size.of(24, 20), Size.of(24, 20), Size.of(5, 5)), 0, 1,
		List.of(VECTOR), 0);
	private static final Mosaic MOSAIC = new Mosaic(List.of(new Mosaic.Placed("a", new double[2], null, 1, true)), List.of(), null, false, 1, "");
	/** Instances, and arguments of all types. */
	private static final Map<Class<?>, Object> SAMPLES = new HashMap<>();

	private static <T> void sample(final Class<? super T> type, final T value) {
		SAMPLES.put(type, value);
	}

	static {
		for (final Object o : new Object[] { NCC, Convolution.of(TEMPLATE), TemplateMatching.with(NCC),
			TemplateTracking.ofRegions(List.of(FinalInterval.createMinSize(3, 3, 5, 5))).maxShift(2, 2),
			PoseSearch.of(TEMPLATE), MotionField.ofWindows(5, 5), Registration.of(IMAGE), DriftCorrection.ofFrames(2), NCC.prepare(IMAGE),
			NCC.prepare(PixelType.F32, Size.of(IMAGE.dimensionsAsLongArray())), TemplateMatching.with(NCC).keep(IMAGE, 10),
			SHIFT, DRIFT, VECTOR, VECTOR.state(), FIELD, FIELD.grid(), new MotionFields(List.of(FIELD), Report.NONE, List.of(), 0), MATCH, POINT, FILE,
				Stitching.of(List.of(TILE, Tile.of("b", IMAGE, 20, 0))), MOSAIC, MOSAIC.tiles().get(0), LINK, TILE,
			Fusion.DEFAULT, Fusion.Blending.MAX, Border.MIRROR, Border.Kind.MIRROR, ComputeOptions.DEFAULT, DriftReference.FIRST,
			DriftReference.Kind.FIRST, Extent.VALID, Interpolation.CUBIC, NaNs.MISSING, Outside.EDGE, Outside.Kind.EDGE,
			Sense.CORRELATION, Undefined.NAN, PixelType.F32, Precision.SINGLE, Report.NONE, Size.of(5, 5), Effort.ESTIMATE, PoseGrid.DEFAULT,
			PoseSupport.DISK, WindowPairs.Shape.CIRCLE,
			new Alignment(new double[2], 1, 1, null, false, 0, "", List.of()), new PeakQuality(0.5, 3), BackgroundState.OK, Pose.of(0, 1, false), FrameShift.State.OK,
			Update.FIXED, Update.Kind.FIXED, "1", new ImageStore(IMAGE),
			new MapShape(new long[2], new long[2]), JointImage.of(List.of(IMAGE, IMAGE)), new Tracks(List.of(POINT), Report.NONE, List.of(), 0),
			new DriftCorrection.ShiftedFrame(IMAGE, SHIFT),
			new PoseMatch(0, new long[0], new long[2], Pose.of(0, 1, false), 1, Pose.of(0, 1, false), new double[2], 1),
			new Deformation(new int[] { 1, 1 }, new double[2], new double[] { 9, 9 }, List.<float[][]>of(new float[2][1])),
				new PoseReport(1, List.of(), List.of(), 0, Optional.empty()) })
			SAMPLES.put(o.getClass(), o);
		sample(Img.class, noise(20, 16, 3));
		sample(MapStore.class, MapStore.of(IMAGE));
		sample(Monitor.class, Monitor.NONE);
		sample(FrameConsumer.class, (FrameConsumer<Object>) (index, found) -> {});
		sample(Consumer.class, (Consumer<Object>) points -> {});
		sample(Optional.class, Optional.empty());
		sample(java.util.function.Supplier.class, (java.util.function.Supplier<?>) () -> IMAGE);
		sample(java.util.function.UnaryOperator.class, java.util.function.UnaryOperator.identity());
		sample(Path.class, Path.of("means"));
		sample(java.io.Writer.class, new StringWriter());
		sample(java.io.OutputStream.class, new ByteArrayOutputStream());
		sample(java.nio.Buffer.class, FloatBuffer.allocate(4));
		sample(Throwable.class, new IllegalStateException());
		sample(net.imglib2.Interval.class, FinalInterval.createMinSize(0, 0, 5, 5));
	}

	/** Arguments whose documentation gives null a meaning: the class and the method or constructor, and the name of the parameter. */
	private static final Set<String> NULLABLE = Set.of(
		"NormalizedCrossCorrelation.mask mask", "NormalizedCrossCorrelation.weights weights", "NormalizedCrossCorrelation.imageMask mask",
		"NormalizedCrossCorrelation.inside windows",
		"SlidingOp.search responses", "SlidingOp.border border", "Match.with newQuality", "NormalizedCrossCorrelation.bestInto numbers",
		"ComputingOp.backend id", "ComputingOp.algorithm id", "TemplateTracking.imageMask mask", "PoseSearch.inside box", "Registration.fixedMask mask",
		"Registration.movingMask mask", "DriftCorrection.inside box", "DriftCorrection.imageMask mask", "DriftCorrection.piecewise window",
			"Drift deformation", "DriftCorrection.parts means",
		"TemplateMatching.canFind kept", "MotionField.imageMask mask", "MotionField.gridMask mask",
		"ComputeOptions.backend id", "ComputeOptions.algorithm id", "ComputeOptions.planner newPlanner", "PoseGrid.angles newAngles", "Match.refined newCovariance",
		"Alignment covariance", "FrameShift covariance", "MotionVector covariance", "Match background", "Match covariance", "Match quality", "PoseMatch background",
		"PoseMatch covariance", "PoseMatch.refined newCovariance", "Pose rotation",
		"TrackPoint covariance", "PoseGrid angles", "Stitching.flatField image", "Mosaic stageError", "Placed position", "Placed covariance", "Link shift",
		"Link covariance", "Tile position", "Tile.of position", "Tile.at other");

	/** The classes of the API. */
	static final List<Class<?>> API = List.of(NormalizedCrossCorrelation.class, Convolution.class, TemplateMatching.class,
		TemplateMatching.Result.class, TemplateTracking.class, PoseSearch.class,
		Registration.class, DriftCorrection.class, DriftCorrection.ShiftedFrame.class, DriftFile.class, MotionField.class, MotionFields.class, VectorField.class,
		MotionVector.class, Size.class, Stitching.class, Mosaic.class, Mosaic.Placed.class, Mosaic.Link.class,
		Tile.class, Fusion.class, PreparedImage.class, PreparedTemplates.class, KeptMaxima.class, KeptMaxima.Alarms.class,
		StagingBuffer.class, Backends.class,
		JointImage.class, Border.class, ComputeOptions.class, DriftReference.class, Outside.class, Alignment.class, Alignment.Peak.class, Best.class,
		BestPoses.class, Drift.class, Deformation.class, FrameShift.class,
		Frames.class, ImageStore.class, MapShape.class, MapStore.class, Match.class, Pose.class, PoseMatch.class, PoseReport.class, PosesFound.class,
		Response.class, StoredResponse.class,
		StreamReport.class, PoseGrid.class, TrackMateFile.class, TrackMateFile.Image.class, TrackPoint.class, Tracks.class, Update.class);
	/** Public for other packages of the library, not for callers. */
	private static final Set<String> INTERNAL = Set.of("ImageStore.write", "ImageStore.has", "MapStore.write", "MapStore.has",
		"JointImage.randomAccess", "JointImage.requireOneChannel",
		"JointImage.requireSameChannels", "JointImage.view", "JointImage.map", "JointImage.channelsOf", "JointImage.channels", "TemplateMatching.result",
		"PoseGrid.poses", "Size.text", "ComputeOptions.rank", "KeptMaxima.of", "KeptMaxima.choose", "KeptMaxima.minScores");

	@Test
	void nullHasASentence() throws ReflectiveOperationException {
		final List<String> wrong = new ArrayList<>();
		final Set<String> met = new TreeSet<>();
		int checked = 0;
		for (final Class<?> type : API) {
			for (final Executable e : executables(type)) {
				final Class<?>[] types = e.getParameterTypes();
				for (int i = 0; i < types.length; i++) {
					if (types[i].isPrimitive()) continue;
					final String name = (e instanceof Constructor ? type.getSimpleName() : e.getDeclaringClass().getSimpleName() + "." + e.getName()) + " "
						+ e.getParameters()[i].getName();
					final boolean nullable = NULLABLE.contains(name);
					if (nullable) met.add(name);
					final String problem = problem(type, e, i, nullable);
					checked++;
					if (problem != null) wrong.add(type.getSimpleName() + "." + e.getName()
						+ Arrays.toString(Arrays.stream(types).map(Class::getSimpleName).toArray()) + ", argument " + i + " (" + name + "): " + problem);
				}
			}
		}
		assertEquals(List.of(), wrong, () -> wrong.size() + " wrong:\n" + String.join("\n", wrong) + "\n");
		assertEquals(new TreeSet<>(NULLABLE), met, "all exceptions are needed");
		assertTrue(checked > 200, checked + " arguments");
	}

	private static List<Executable> executables(final Class<?> type) {
		final List<Executable> all = new ArrayList<>(Arrays.asList(type.getConstructors()));
		for (final Method m : type.getMethods())
			if (m.getDeclaringClass().getName().startsWith("sc.fiji") && !m.isBridge() && !m.isSynthetic() && !m.getName().equals("equals")
				&& !INTERNAL.contains(m.getDeclaringClass().getSimpleName() + "." + m.getName())
				&& !(type.isEnum() && m.getName().equals("valueOf"))) all.add(m);
		return all;
	}

	/** What is wrong with null for one argument; null if nothing is. */
	private static String problem(final Class<?> type, final Executable e, final int index, final boolean nullable) throws ReflectiveOperationException {
		final Type[] types = e.getGenericParameterTypes();
		final Object[] arguments = new Object[types.length];
		for (int i = 0; i < arguments.length; i++) arguments[i] = i == index ? null : argument(e.getParameterTypes()[i], types[i].getTypeName(), e);
		try {
			if (e instanceof Constructor) ((Constructor<?>) e).newInstance(arguments);
			else ((Method) e).invoke(Modifier.isStatic(e.getModifiers()) ? null : instance(type), arguments);
		}
		catch (final InvocationTargetException thrown) {
			final Throwable cause = thrown.getCause();
			if (nullable) return cause instanceof NullPointerException || String.valueOf(cause.getMessage()).contains("null")
				? "is documented as nullable, and throws " + cause : null;
			if (!(cause instanceof IllegalArgumentException)) return "throws " + cause + " at " + Arrays.stream(cause.getStackTrace()).limit(3).toList();
			return cause.getMessage() != null && cause.getMessage().matches("(?s).* is null.*: give .*") ? null : "says '" + cause.getMessage() + "'";
		}
		return nullable ? null : "is accepted";
	}

	/** An object of each class of the API. */
	static Collection<Object> samples() {
		return SAMPLES.entrySet().stream().filter(e -> API.contains(e.getKey())).map(Map.Entry::getValue).toList();
	}

	static Object instance(final Class<?> type) {
		final Object sample = SAMPLES.get(type);
		if (sample == null) throw new IllegalStateException("no instance of " + type);
		return type == TemplateMatching.class ? ((TemplateMatching) sample).minScore(0.9) : sample;
	}

	private static Object argument(final Class<?> type, final String generic, final Executable e) {
		if (type == boolean.class) return false;
		if (type == int.class) return 2;
		if (type == long.class) return 2L;
		if (type == double.class) return 0.5;
		if (type == double[].class) return new double[] { 1, 2 };
		if (type == long[].class) return new long[] { 5, 5 };
		if (type == int[].class) return new int[] { 0, 1 };
		if (type == double[][].class) return new double[2][2];
		if (type == List.class || type == Iterable.class) return list(generic, e);
		if (type.isInstance(IMAGE) && type != Img.class) return e.getDeclaringClass() == PreparedImage.class ? TEMPLATE : IMAGE;
		if (type == Img.class && generic.contains("IntegerType")) return ArrayImgs.ints(2, 2);
		if (type == Img.class && generic.contains("IntType")) return (Img<IntType>) ArrayImgs.ints(2, 2);
		final Object sample = SAMPLES.get(type);
		if (sample == null) throw new IllegalStateException("no argument of " + type + " for " + e);
		return sample;
	}

	private static List<?> list(final String generic, final Executable e) {
		if (generic.contains("MapStore")) return List.of(MapStore.of(ArrayImgs.floats(20, 16)));
		if (generic.contains("Img")) return List.of(ArrayImgs.floats(20, 16));
		if (generic.contains("RandomAccessibleInterval")) return e.getDeclaringClass() == TemplateTracking.class
			|| e.getDeclaringClass() == PreparedImage.class ? List.of(TEMPLATE) : List.of(IMAGE, IMAGE);
		if (generic.contains("long[]")) return List.of(new long[] { 3, 3 });
		if (generic.contains("double[]")) return List.of(new double[] { 1, 0, 0, 0 });
		if (generic.contains("FrameShift")) return List.of();
		if (generic.contains("VectorField")) return List.of(FIELD);
		if (generic.contains("MotionVector")) return List.of(VECTOR);
		if (generic.contains("TrackPoint")) return List.of(POINT);
		if (generic.contains("Placed")) return MOSAIC.tiles();
		return List.of();
	}

	private static Img<FloatType> noise(final int width, final int height, final long seed) {
		final Random random = new Random(seed);
		final float[] pixels = new float[width * height];
		for (int i = 0; i < pixels.length; i++) pixels[i] = random.nextFloat();
		return ArrayImgs.floats(pixels, width, height);
	}
}
