package sc.fiji.ncc.command;

import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;

import org.scijava.Named;

/**
 * ImageJ2's images, if they are there. imagej-common is not to be had where this is built, so this one class reaches it by
 * reflection: {@code Dataset} and {@code ImgPlus} as they are since imagej-common 0.24.
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
	private static final Class<?> BRIDGE = find("net.imagej.legacy.LegacyService");

	private ImageJ2() {}

	/** The name of a Dataset or an ImgPlus; empty for any other image. */
	static Optional<String> name(final Img<?> image) {
		return has(METADATA, image) ? Optional.ofNullable(((Named) image).getName()) : Optional.empty();
	}

	/** Whether it is an image that an application may show. */
	static boolean isDataset(final Img<?> image) {
		return has(DATASET, image);
	}

	/** What our commands noted beside the pixels of an ImgPlus; empty for any other image. */
	static Map<String, String> properties(final Img<?> image) {
		final Map<String, String> ours = new TreeMap<>();
		if (has(IMG_PLUS, image)) ((Map<?, ?>) call(IMG_PLUS, image, "getProperties")).forEach((key, value) -> {
			if (value instanceof String) ours.put(String.valueOf(key), (String) value);
		});
		return ours;
	}

	/** Whether it is a Dataset whose three channels are red, green and blue. */
	static boolean isColor(final Img<?> image) {
		return has(DATASET, image) && (Boolean) call(DATASET, image, "isRGBMerged");
	}

	/** One letter for each dimension of a Dataset or an ImgPlus, ? for those without a meaning here; empty for any other image. */
	static Optional<String> axes(final Img<?> image) {
		if (!has(METADATA, image)) return Optional.empty();
		final StringBuilder axes = new StringBuilder();
		for (int d = 0; d < image.numDimensions(); d++) {
			final String label = axis(image, METADATA, d);
			axes.append(label.equals("Time") ? 't' : label.length() == 1 || label.equals("Channel") ? Character.toLowerCase(label.charAt(0)) : '?');
		}
		return Optional.of(axes.toString());
	}

	private static String axis(final Object image, final Class<?> declaring, final int d) {
		return (String) call(AXIS_TYPE, call(TYPED_AXIS, call(declaring, image, "axis", d), "type"), "getLabel");
	}

	/** The values of an ImgPlus that are shown black and white; empty for any other image. */
	static Optional<double[]> displayRange(final Img<?> image) {
		return has(IMG_PLUS, image) ? Optional.of(new double[] { (Double) call(IMG_PLUS, image, "getChannelMinimum", 0),
			(Double) call(IMG_PLUS, image, "getChannelMaximum", 0) }) : Optional.empty();
	}

	/** See {@link FrontEnd#describe}; the map itself where there is no imagej-common. */
	static <T extends RealType<T>> Img<T> describe(final Img<T> map, final String name, final Img<?> source, final long[] origin,
		final double min, final double max, final Map<String, String> properties)
	{
		if (IMG_PLUS == null) return map;
		final Object image = imgPlus(map, has(METADATA, source) ? source : null);
		((Named) image).setName(name);
		for (int d = 0; d < origin.length; d++) if (origin[d] != 0) shift(image, d, origin[d]);
		final int channels = channels(image, map);
		for (int c = 0; c < channels; c++) {
			call(IMG_PLUS, image, "setChannelMinimum", c, min);
			call(IMG_PLUS, image, "setChannelMaximum", c, max);
		}
		@SuppressWarnings("unchecked")
		final Map<String, Object> known = (Map<String, Object>) call(IMG_PLUS, image, "getProperties");
		known.putAll(properties);
		@SuppressWarnings("unchecked")
		final Img<T> result = (Img<T>) image;
		return result;
	}

	/** Of what describes the source only the axes are true of the map. */
	private static Object imgPlus(final Img<?> map, final Img<?> source) {
		try {
			return source == null ? IMG_PLUS.getConstructor(Img.class).newInstance(map)
				: IMG_PLUS.getConstructor(Img.class, METADATA, boolean.class).newInstance(map, source, true);
		}
		catch (final InvocationTargetException e) {
			throw thrown(e);
		}
		catch (final ReflectiveOperationException e) {
			throw new LinkageError("this version of imagej-common makes images another way", e);
		}
	}

	/**
	 * Only along a linear axis is there an origin to move. ImageJ2 means by it the calibrated place of pixel 0; but Fiji's bridge to
	 * ImageJ 1.x, through which all images are opened and shown, keeps there the pixel that lies at 0.
	 */
	private static void shift(final Object image, final int d, final long pixels) {
		final Object axis = call(AXIS, call(IMG_PLUS, image, "axis", d), "copy");
		if (!LINEAR_AXIS.isInstance(axis)) return;
		final double origin = BRIDGE == null ? (Double) call(AXIS, axis, "calibratedValue", (double) pixels)
			: (Double) call(LINEAR_AXIS, axis, "origin") - pixels;
		call(LINEAR_AXIS, axis, "setOrigin", origin);
		call(IMG_PLUS, image, "setAxis", axis, d);
	}

	private static int channels(final Object image, final Img<?> map) {
		for (int d = 0; d < map.numDimensions(); d++) {
			if ("Channel".equals(axis(image, IMG_PLUS, d))) return Math.toIntExact(map.dimension(d));
		}
		return 1;
	}

	/** Calls the public method of that name that takes the arguments. */
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
			throw new LinkageError("this version of imagej-common has no such method", e);
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
