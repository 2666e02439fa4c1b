package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.MapDescription;

/**
 * The origin of a map in ImageJ2. imagej-common is not on the class path, so this test compiles classes with the same methods, visible only to
 * {@link ImageJ2}. The tests in src/fiji use the real classes.
 */
class ImageJ2Test {

	private static final Map<String, String> AXES = Map.of(
		"net/imagej/axis/AxisType", "package net.imagej.axis; public interface AxisType { String getLabel(); }",
		"net/imagej/axis/TypedAxis", "package net.imagej.axis; public interface TypedAxis { AxisType type(); }",
		"net/imagej/axis/CalibratedAxis", "package net.imagej.axis; public interface CalibratedAxis extends TypedAxis {"
			+ " double calibratedValue(double pixel); CalibratedAxis copy(); }",
		"net/imagej/axis/LinearAxis", "package net.imagej.axis; public interface LinearAxis extends CalibratedAxis { double origin(); double scale(); void setOrigin(double origin); }",
		"net/imagej/ImgPlusMetadata", "package net.imagej; public interface ImgPlusMetadata extends org.scijava.Named { net.imagej.axis.CalibratedAxis axis(int d); }",
		"net/imagej/Line", "package net.imagej; public class Line implements net.imagej.axis.LinearAxis { final String label; final double scale; public double origin;"
			+ " public Line(String label, double scale, double origin) { this.label = label; this.scale = scale; this.origin = origin; }"
			+ " public net.imagej.axis.AxisType type() { return () -> label; }"
			+ " public double calibratedValue(double pixel) { return origin + scale * pixel; } public Line copy() { return new Line(label, scale, origin); }"
			+ " public double origin() { return origin; } public double scale() { return scale; } public void setOrigin(double origin) { this.origin = origin; } }",
		"net/imagej/ImgPlus", "package net.imagej; import java.util.*; import net.imglib2.img.*; import net.imglib2.type.Type; import net.imagej.axis.*;"
			+ " public class ImgPlus<T extends Type<T>> extends ImgView<T> implements ImgPlusMetadata { final CalibratedAxis[] axes; String name;"
			+ " public final List<Double> range = new ArrayList<>(); final Map<String, Object> properties = new HashMap<>();"
			+ " public ImgPlus(Img<T> img, ImgPlusMetadata like, boolean axesOnly) { super(img, img.factory()); axes = new CalibratedAxis[img.numDimensions()];"
			+ " for (int d = 0; d < axes.length; d++) axes[d] = like.axis(d).copy(); }"
			+ " public ImgPlus(Img<T> img, CalibratedAxis[] axes) { super(img, img.factory()); this.axes = axes; }"
			+ " public CalibratedAxis axis(int d) { return axes[d]; } public void setAxis(CalibratedAxis axis, int d) { axes[d] = axis; }"
			+ " public String getName() { return name; } public void setName(String name) { this.name = name; }"
			+ " public Map<String, Object> getProperties() { return properties; }"
			+ " public void setChannelMinimum(int c, double min) { range.add(min); } public void setChannelMaximum(int c, double max) { range.add(max); } }");
	private static final Map<String, String> BRIDGE = Map.of("net/imagej/legacy/LegacyService", "package net.imagej.legacy; public class LegacyService {}");

	@TempDir
	Path folder;

	/** Loads the compiled classes, and {@link ImageJ2} and {@link ScriptImage} in the same class loader. */
	private final class Loader extends ClassLoader {

		Loader() {
			super(ImageJ2Test.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException {
			final boolean own = name.equals(ImageJ2.class.getName()) || name.equals(ScriptImage.class.getName());
			if (!own && !name.startsWith("net.imagej.")) return super.loadClass(name, resolve);
			final Class<?> known = findLoadedClass(name);
			if (known != null) return known;
			final String file = name.replace('.', '/') + ".class";
			try (InputStream in = own ? getParent().getResourceAsStream(file) : Files.exists(folder.resolve(file)) ? Files.newInputStream(folder.resolve(file)) : null) {
				if (in == null) throw new ClassNotFoundException(name);
				final byte[] bytes = in.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (final IOException e) {
				throw new ClassNotFoundException(name, e);
			}
		}
	}

	private void compile(final Map<String, String> sources) throws IOException {
		final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		Assumptions.assumeTrue(compiler != null, "no compiler in this Java");
		final List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.toString(), "-cp", folder + System.getProperty("path.separator")
			+ System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
		for (final Map.Entry<String, String> source : sources.entrySet()) {
			final Path file = folder.resolve(source.getKey() + ".java");
			Files.createDirectories(file.getParent());
			Files.writeString(file, source.getValue());
			arguments.add(file.toString());
		}
		final ByteArrayOutputStream said = new ByteArrayOutputStream();
		assertEquals(0, compiler.run(null, null, said, arguments.toArray(String[]::new)), said::toString);
	}

	/** The origins of a map with the axes x, y, channel and z, the scales 0.5, 0.25, 1 and 2, and the image's origins 3, 5, 7 and 11. */
	private double[] origins(final long... origin) throws Exception {
		final Loader loader = new Loader();
		final Class<?> line = loader.loadClass("net.imagej.Line"), plus = loader.loadClass("net.imagej.ImgPlus"), axis = loader.loadClass("net.imagej.axis.CalibratedAxis");
		final Object axes = Array.newInstance(axis, 4);
		final Object[] of = new Object[4];
		final String[] labels = { "X", "Y", "Channel", "Z" };
		final double[] scales = { 0.5, 0.25, 1, 2 }, begins = { 3, 5, 7, 11 };
		for (int d = 0; d < 4; d++)
			Array.set(axes, d, of[d] = line.getConstructor(String.class, double.class, double.class).newInstance(labels[d], scales[d], begins[d]));
		final Img<?> source = (Img<?>) plus.getConstructor(Img.class, axes.getClass()).newInstance(ArrayImgs.floats(6, 5, 2, 4), axes);
		Method describe = null;
		for (final Method m : loader.loadClass(ImageJ2.class.getName()).getDeclaredMethods()) if (m.getName().equals("describe")) describe = m;
		describe.setAccessible(true);
		final Constructor<?> constructor = loader.loadClass(ScriptImage.class.getName()).getDeclaredConstructor(Img.class);
		constructor.setAccessible(true);
		final Object map = describe.invoke(null, ArrayImgs.floats(4, 3, 2, 2), new MapDescription("map", (ImageInput) constructor.newInstance(source), origin, -1, 1, Map.of("NCC.plan", "a plan")));
		assertSame(plus, map.getClass());
		assertEquals("map", plus.getMethod("getName").invoke(map));
		assertEquals(List.of(-1.0, 1.0, -1.0, 1.0), plus.getField("range").get(map), "for each channel");
		assertEquals(Map.of("NCC.plan", "a plan"), plus.getMethod("getProperties").invoke(map));
		final double[] origins = new double[4];
		for (int d = 0; d < 4; d++) {
			origins[d] = line.getField("origin").getDouble(plus.getMethod("axis", int.class).invoke(map, d));
			assertEquals(begins[d], line.getField("origin").getDouble(of[d]), "the image's own stays");
		}
		return origins;
	}

	@Test
	void theOriginIsTheCalibratedPlaceOfTheFirstResponse() throws Exception {
		compile(AXES);
		assertArrayEquals(new double[] { 3 - 2 * 0.5, 5 + 4 * 0.25, 7, 11 - 3 * 2 }, origins(-2, 4, 0, -3));
		assertArrayEquals(new double[] { 3, 5, 7, 11 + 2 }, origins(0, 0, 0, 1));
	}

	/** Fiji's bridge stores the pixel position of the value 0 as the origin. */
	@Test
	void withTheBridgeTheOriginIsAPixel() throws Exception {
		compile(AXES);
		compile(BRIDGE);
		assertArrayEquals(new double[] { 3 + 2, 5 - 4, 7, 11 + 3 }, origins(-2, 4, 0, -3));
	}
}
