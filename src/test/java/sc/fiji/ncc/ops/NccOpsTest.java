package sc.fiji.ncc.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.track.TrackPoint;

/**
 * The ops that ops.yaml lists, called as it says. The engine of SciJava Ops is not on Maven Central with all that it needs, so a short reader takes its place.
 * OpsInEngineTest, in src/fiji, calls them through the engine.
 */
class NccOpsTest {

	private static final Map<String, Class<?>> ARRAYS = Map.of("long[]", long[].class, "double[]", double[].class);
	private static final Pattern SOURCE = Pattern.compile("javaMethod:/([\\w.$]+)\\.(\\w+)\\((.*)\\)");

	private final Img<UnsignedByteType> image = RandomPixels.image(1, 60, 50);
	private final RandomAccessibleInterval<UnsignedByteType> template = Views.zeroMin(Views.interval(image, new FinalInterval(new long[] { 20, 10 }, new long[] { 27, 16 })));

	private final RandomAccessibleInterval<UnsignedByteType> moved =
		Views.zeroMin(Views.interval(Views.extendMirrorSingle(image), new FinalInterval(new long[] { 3, -2 }, new long[] { 62, 47 })));
	private final RandomAccessibleInterval<UnsignedByteType> stack = Views.stack(image, moved);

	/** A listed op. */
	private record Listed(Set<String> names, Method method, int nullable) {}

	/** Only what yaml dumps of this file look like: a list of maps, one op after "- ". */
	private static List<Listed> listed() throws Exception {
		final InputStream yaml = NccOps.class.getResourceAsStream("/ops.yaml");
		assumeTrue(yaml != null, "this build has no ops.yaml: run Maven");
		final List<Listed> ops = new ArrayList<>();
		final String text = new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
		for (final String op : text.split("(?m)^- ")) {
			if (op.isBlank()) continue;
			final Matcher source = SOURCE.matcher(URLDecoder.decode(value(op, "source"), StandardCharsets.UTF_8));
			assertTrue(source.matches(), op);
			final List<Class<?>> types = new ArrayList<>();
			for (final String type : source.group(3).split(",")) types.add(ARRAYS.containsKey(type) ? ARRAYS.get(type) : Class.forName(type));
			final Method method = Class.forName(source.group(1)).getMethod(source.group(2), types.toArray(Class[]::new));
			final Set<String> names = new TreeSet<>(List.of(value(op, "names").replaceAll("[\\[\\]'\"]", "").split(", ")));
			ops.add(new Listed(names, method, op.split("nullable: true", -1).length - 1));
		}
		return ops;
	}

	private static String value(final String op, final String key) {
		final Matcher m = Pattern.compile("(?m)^ *" + key + ": (.*)$").matcher(op);
		assertTrue(m.find(), () -> key + " is missing in " + op);
		return m.group(1).replaceAll("^'|'$", "");
	}

	/** Calls the op with this name and these types of inputs; nullable inputs that are not given are null. */
	private static Object call(final String name, final Object... inputs) throws Exception {
		for (final Listed op : listed()) {
			final Class<?>[] types = op.method.getParameterTypes();
			boolean fits = op.names.contains(name) && inputs.length <= types.length && inputs.length >= types.length - op.nullable;
			for (int i = 0; fits && i < inputs.length; i++) fits = types[i].isInstance(inputs[i]);
			if (!fits) continue;
			final Object[] all = new Object[types.length];
			System.arraycopy(inputs, 0, all, 0, inputs.length);
			return op.method.invoke(null, all);
		}
		throw new AssertionError("no op " + name);
	}

	@Test
	void everyPublicMethodIsListed() throws Exception {
		final Map<String, Set<String>> names = new LinkedHashMap<>();
		for (final Listed op : listed()) names.put(op.method.getName(), op.names);
		final Set<String> methods = new TreeSet<>();
		for (final Method m : NccOps.class.getDeclaredMethods())
			if (Modifier.isPublic(m.getModifiers())) methods.add(m.getName());
		assertEquals(methods, new TreeSet<>(names.keySet()));
		assertEquals(Set.of("filter.ncc", "filter.normalizedCrossCorrelation"), names.get("correlate"));
	}

	@Test
	void correlation() throws Exception {
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template);
		assertSame(op.correlate(image).map(), call("filter.ncc", image, template));
		assertSame(op.extent(Extent.SAME).correlate(image).map(), call("filter.normalizedCrossCorrelation", image, template, Extent.SAME));
		final List<?> maps = (List<?>) call("filter.ncc", image, List.of(template, template));
		assertEquals(2, maps.size());
		assertSame(NormalizedCrossCorrelation.of(template).correlate(image).map(), maps.get(1));
	}

	@Test
	void matches() throws Exception {
		final List<?> found = (List<?>) call("segment.matchTemplate", image, template, 0.9);
		assertArrayEquals(new long[] { 20, 10 }, ((Match) found.get(0)).position());
		assertEquals(1, ((List<?>) call("segment.matchTemplate", image, List.of(template), -1.0, 1)).size());
		final Match rated = (Match) ((List<?>) call("segment.matchTemplateByFalseAlarms", image, template, 0.05)).get(0);
		assertArrayEquals(new long[] { 20, 10 }, rated.position());
		assertTrue(rated.falseAlarms() < 0.05, rated::toString);
	}

	@Test
	void rotatedMatches() throws Exception {
		for (final Object found : List.of(call("segment.matchRotatedTemplate", image, template, new double[] { 0, 90 }, new double[] { 1, 2 }, 0.9, 1),
			call("segment.matchRotatedTemplate", image, template, new double[] { 0, 90 })))
			assertArrayEquals(new long[] { 20, 10 }, ((PoseMatch) ((List<?>) found).get(0)).position());
	}

	@Test
	void convolution() throws Exception {
		assertSame(Convolution.of(template).convolve(image).map(), call("filter.convolve", image, template));
	}

	@Test
	void shifts() throws Exception {
		assertArrayEquals(new double[] { -3, 2 }, ((Alignment) call("image.measureShift", image, moved)).shift(), 0.05);
		assertArrayEquals(new double[] { -3, 2 }, ((Alignment) call("image.measureShift", image, moved, new long[] { 5, 5 })).shift(), 0.05);
		final Drift drift = (Drift) call("image.measureDrift", stack);
		assertArrayEquals(new double[] { -3, 2 }, drift.frames().get(1).shift(), 0.05);
		final Img<?> corrected = (Img<?>) call("transform.correctDrift", stack, drift, Interpolation.INTEGER, Outside.CROP), black = (Img<?>) call("transform.correctDrift", stack, drift);
		assertArrayEquals(new long[] { 57, 48, 2 }, corrected.dimensionsAsLongArray());
		assertArrayEquals(TestImages.values(Views.hyperSlice(corrected, 2, 0)), TestImages.values(Views.hyperSlice(corrected, 2, 1)));
		assertArrayEquals(new long[] { 60, 50, 2 }, black.dimensionsAsLongArray());
	}

	@Test
	void tracking() throws Exception {
		final List<Interval> regions = List.of(new FinalInterval(new long[] { 20, 10 }, new long[] { 31, 19 }));
		for (final Object found : List.of(call("segment.trackTemplate", stack, regions), call("segment.trackTemplate", stack, regions, new long[] { 5, 5 }))) {
			final List<?> points = (List<?>) found;
			assertEquals(2, points.size());
			assertArrayEquals(new double[] { 17, 12 }, ((TrackPoint) points.get(1)).subpixel(), 0.1);
		}
	}

	private static void assertSame(final Img<FloatType> expected, final Object found) {
		assertArrayEquals(TestImages.values(expected), TestImages.values((Img<?>) found));
	}
}
