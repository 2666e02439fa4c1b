package sc.fiji.ncc.command.imagej;

import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;

import org.scijava.Context;
import org.scijava.Named;
import org.scijava.display.Display;
import org.scijava.service.Service;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.front.Calibration;

/**
 * Access to the images of ImageJ2, {@code Dataset} and {@code ImgPlus}, as of imagej-common 0.24. This class calls imagej-common by reflection, because it
 * is not on Maven Central. Without imagej-common, each method returns an empty value.
 */
final class ImageJ2 {

	/** {@code net.imagej.ImgPlus}, or null in an application without imagej-common. */
	private static final Class<?> IMG_PLUS = find("net.imagej.ImgPlus");
	private static final Class<?> METADATA = find("net.imagej.ImgPlusMetadata");
	private static final Class<?> DATASET = find("net.imagej.Dataset");
	private static final Class<?> AXIS = find("net.imagej.axis.CalibratedAxis");
	private static final Class<?> AXIS_TYPE = find("net.imagej.axis.AxisType");
	private static final Class<?> TYPED_AXIS = find("net.imagej.axis.TypedAxis");
	private static final Class<?> LINEAR_AXIS = find("net.imagej.axis.LinearAxis");
	private static final Class<?> DEFAULT_LINEAR_AXIS = find("net.imagej.axis.DefaultLinearAxis");
	private static final Class<?> AXES = find("net.imagej.axis.Axes");
	private static final Class<?> VIEW = find("net.imagej.display.DataView");
	private static final Class<?> BRIDGE = find("net.imagej.legacy.LegacyService");

	/** The property of a Dataset that holds its {@code ImagePlus}. */
	private static final String SHOWN_AS = "ij1-image-plus";

	private ImageJ2() {}

	/** @return whether ImageJ 1.x can run without windows */
	static boolean patchesImageJ1() {
		return BRIDGE != null;
	}

	/** @return the name of a Dataset or an ImgPlus; empty for other images */
	static Optional<String> name(final Img<?> image) {
		return has(METADATA, image) ? Optional.ofNullable(((Named) image).getName()) : Optional.empty();
	}

	/** @return whether the image is a Dataset with the channels red, green and blue */
	static boolean isColor(final Img<?> image) {
		return has(DATASET, image) && (Boolean) call(DATASET, image, "isRGBMerged");
	}

	/** @return a letter for each dimension of a Dataset or an ImgPlus, ? for an unknown axis; empty for other images */
	static Optional<String> axes(final Img<?> image) {
		if (!has(METADATA, image)) return Optional.empty();
		final StringBuilder axes = new StringBuilder();
		for (int d = 0; d < image.numDimensions(); d++) {
			final String label = axis(image, METADATA, d);
			axes.append(label.equals("Time") ? 't' : label.length() == 1 || label.equals("Channel")
				? Character.toLowerCase(label.charAt(0)) : '?');
		}
		return Optional.of(axes.toString());
	}

	private static String axis(final Object image, final Class<?> declaring, final int d) {
		return (String) call(AXIS_TYPE, call(TYPED_AXIS, call(declaring, image, "axis", d), "type"), "getLabel");
	}

	/** @return the calibration of a Dataset or an ImgPlus; empty for other images */
	static Optional<Calibration> calibration(final Img<?> image, final String axes) {
		if (!has(METADATA, image)) return Optional.empty();
		final double[] size = { 1, 1, 1 }, origin = new double[3];
		String unit = null, timeUnit = null;
		double interval = 0;
		for (int d = 0; d < axes.length(); d++) {
			final Object axis = call(METADATA, image, "axis", d);
			if (!LINEAR_AXIS.isInstance(axis)) continue;
			final double scale = (Double) call(LINEAR_AXIS, axis, "scale");
			final int i = "xyz".indexOf(axes.charAt(d));
			if (i >= 0) {
				size[i] = scale;
				origin[i] = pixelAtZero((Double) call(LINEAR_AXIS, axis, "origin"), scale);
				if (unit == null) unit = (String) call(AXIS, axis, "unit");
			}
			else if (axes.charAt(d) == 't') {
				interval = scale;
				timeUnit = (String) call(AXIS, axis, "unit");
			}
		}
		return Optional.of(Calibration.of(size, origin, unit, interval, timeUnit == null ? "" : timeUnit));
	}

	/**
	 * The position in pixels of the calibrated value 0. In ImageJ2, the origin of an axis is the calibrated value of pixel 0. Fiji's bridge to ImageJ 1.x, which
	 * opens and shows images, stores the pixel position of the value 0 instead.
	 */
	private static double pixelAtZero(final double origin, final double scale) {
		return BRIDGE == null ? -origin / scale : origin;
	}

	private static double origin(final double pixelAtZero, final double scale) {
		return BRIDGE == null ? -pixelAtZero * scale : pixelAtZero;
	}

	/** @return the {@code ImagePlus} that shows a Dataset; empty for other images and for a Dataset without a window */
	static Optional<Object> shownAs(final Img<?> image, final Context context) {
		if (BRIDGE == null || !has(DATASET, image)) return Optional.empty();
		final Object bridge = context.getService(BRIDGE.asSubclass(Service.class));
		if (bridge == null) return Optional.empty();
		final Object shown = call(BRIDGE, bridge, "getImageMap");
		// converting the Dataset would register an image without a window
		for (final Object display : (Iterable<?>) call(shown.getClass(), shown, "getImageDisplays"))
			if (((Display<?>) display).isDisplaying(image)) return Optional.ofNullable(call(shown.getClass(), shown,
				"lookupImagePlus", display));
		return Optional.empty();
	}

	/**
	 * Gives the Datasets of a display the properties and the range of the map that they show. Fiji's bridge makes the Dataset of an open image when a
	 * script asks for it, with pixels and calibration only.
	 */
	static void completeDatasets(final Display<?> display) {
		if (BRIDGE == null) return;
		for (final Object view : display) {
			final Object data = VIEW.isInstance(view) ? call(VIEW, view, "getData") : null;
			if (!DATASET.isInstance(data)) continue;
			@SuppressWarnings("unchecked")
			final Map<String, Object> known = (Map<String, Object>) call(METADATA, data, "getProperties");
			ImageJ1.shownMap(known.get(SHOWN_AS)).ifPresent(map -> {
				range(DATASET, data, (Img<?>) data, map.min(), map.max());
				known.putAll(map.properties());
			});
		}
	}

	/** @return an ImgPlus that shares the pixels of the map; the map itself without imagej-common */
	static <T extends RealType<T>> Img<T> describe(final Img<T> map, final MapDescription description) {
		if (IMG_PLUS == null) return map;
		final Object image = imgPlus(map, description.source());
		((Named) image).setName(description.name());
		final long[] origin = description.origin();
		for (int d = 0; d < origin.length; d++) if (origin[d] != 0) shift(image, d, origin[d]);
		range(IMG_PLUS, image, map, description.min(), description.max());
		@SuppressWarnings("unchecked")
		final Map<String, Object> known = (Map<String, Object>) call(IMG_PLUS, image, "getProperties");
		known.putAll(description.properties());
		@SuppressWarnings("unchecked")
		final Img<T> result = (Img<T>) image;
		return result;
	}

	/** Makes an ImgPlus with the axes of the source. Other metadata of the source does not apply to the map. */
	private static Object imgPlus(final Img<?> map, final ImageInput source) {
		try {
			if (source instanceof ScriptImage && has(METADATA, source.pixels()))
				return IMG_PLUS.getConstructor(Img.class, METADATA, boolean.class).newInstance(map, source.pixels(), true);
			final Object image = IMG_PLUS.getConstructor(Img.class).newInstance(map);
			final String axes = source.axes();
			for (int d = 0; d < axes.length(); d++) call(IMG_PLUS, image, "setAxis", axis(axes.charAt(d), source.calibration()), d);
			return image;
		}
		catch (final InvocationTargetException e) {
			throw thrown(e);
		}
		catch (final ReflectiveOperationException e) {
			throw new LinkageError("This version of imagej-common is not supported: a constructor is missing.", e);
		}
	}

	/** Makes the axis of a letter. */
	private static Object axis(final char letter, final Calibration calibration) throws ReflectiveOperationException {
		final String label = letter == 'c' ? "Channel" : letter == 't' ? "Time" : String.valueOf(Character.toUpperCase(letter));
		final Object type = AXES.getMethod("get", String.class).invoke(null, label);
		final int i = "xyz".indexOf(letter);
		final boolean timed = letter == 't' && calibration.frameInterval() > 0;
		final double scale = i >= 0 ? calibration.size(i) : timed ? calibration.frameInterval() : 1;
		final String unit = i >= 0 ? calibration.units(1) : timed ? calibration.timeUnit() : letter == 't' ? "" : null;
		return DEFAULT_LINEAR_AXIS.getConstructor(AXIS_TYPE, String.class, double.class, double.class).newInstance(type, unit, scale,
			i >= 0 ? origin(calibration.origin()[i], scale) : 0);
	}

	/** Moves the origin of an axis. Axes that are not linear have no origin. */
	private static void shift(final Object image, final int d, final long pixels) {
		final Object axis = call(AXIS, call(IMG_PLUS, image, "axis", d), "copy");
		if (!LINEAR_AXIS.isInstance(axis)) return;
		final double scale = (Double) call(LINEAR_AXIS, axis, "scale");
		call(LINEAR_AXIS, axis, "setOrigin", origin(pixelAtZero((Double) call(LINEAR_AXIS, axis, "origin"), scale) - pixels, scale));
		call(IMG_PLUS, image, "setAxis", axis, d);
	}

	/** Sets the range that is shown, from black to white, for every channel. NaN: unknown. */
	private static void range(final Class<?> declaring, final Object image, final Img<?> map, final double min, final double max) {
		final int channels = channels(declaring, image, map);
		for (int c = 0; c < channels; c++) {
			call(declaring, image, "setChannelMinimum", c, min);
			call(declaring, image, "setChannelMaximum", c, max);
		}
	}

	private static int channels(final Class<?> declaring, final Object image, final Img<?> map) {
		for (int d = 0; d < map.numDimensions(); d++) {
			if ("Channel".equals(axis(image, declaring, d))) return Math.toIntExact(map.dimension(d));
		}
		return 1;
	}

	/** Calls the public method with this name that accepts the arguments. */
	private static Object call(final Class<?> declaring, final Object target, final String method, final Object... arguments) {
		try {
			for (final Method m : declaring.getMethods())
				if (m.getName().equals(method) && takes(m.getParameterTypes(), arguments)) return m.invoke(target, arguments);
			throw new NoSuchMethodException(declaring.getName() + "." + method);
		}
		catch (final InvocationTargetException e) {
			throw thrown(e);
		}
		catch (final ReflectiveOperationException e) {
			throw new LinkageError("This version of imagej-common is not supported: a method is missing.", e);
		}
	}

	private static boolean takes(final Class<?>[] types, final Object[] arguments) {
		if (types.length != arguments.length) return false;
		for (int i = 0; i < types.length; i++)
			if (!MethodType.methodType(types[i]).wrap().returnType().isInstance(arguments[i])) return false;
		return true;
	}

	private static RuntimeException thrown(final InvocationTargetException e) {
		if (e.getCause() instanceof Error) throw (Error) e.getCause();
		return e.getCause() instanceof RuntimeException ? (RuntimeException) e.getCause() : new IllegalStateException(e.getCause());
	}

	private static boolean has(final Class<?> type, final Object image) {
		return type != null && type.isInstance(image);
	}

	private static Class<?> find(final String name) {
		try {
			return Class.forName(name, false, ImageJ2.class.getClassLoader());
		}
		catch (final ClassNotFoundException e) {
			return null;
		}
	}
}
