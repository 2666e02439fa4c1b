package sc.fiji.ncc.cli.input;

import static java.util.Map.entry;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.store.InputDataException;
import sc.fiji.ncc.store.OmeAxis;
import sc.fiji.ncc.store.OmeZarr;
import sc.fiji.ncc.store.ZarrMap;

/** Conversion between OME-Zarr images and {@link InputImage}: the meaning of dimensions, and the calibration. */
public final class ZarrImages {

	/** The order of dimensions in {@link InputImage} and in OME-Zarr, x first. */
	private static final String IMAGE = "xyczt", OME = "xyzct";
	/** The side of a chunk of a map, in pixels, for templates of two and of three dimensions. */
	private static final int CHUNK = 1024, CHUNK_3D = 128;
	/** The names of units in OME, and in ImageJ. */
	private static final Map<String, String> UNITS = Map.ofEntries(entry("micrometer", "\u00b5m"), entry("nanometer", "nm"), entry("angstrom", MrcReader.UNIT),
		entry("millimeter", "mm"), entry("centimeter", "cm"), entry("meter", "m"), entry("inch", "inch"), entry("second", "sec"), entry("millisecond", "ms"),
		entry("minute", "min"), entry("hour", "h"));

	private ZarrImages() {}

	/** @throws IOException if the folder has no image of a supported kind; the message gives the reason */
	static InputImage read(final String name, final Path folder) throws IOException {
		final OmeZarr zarr = OmeZarr.open(name, folder);
		final long[] shape = zarr.array().shape();
		final boolean[] kept = new boolean[shape.length];
		final StringBuilder axes = new StringBuilder();
		for (int d = shape.length - 1; d >= 0; d--) {
			final String axis = zarr.axes().get(d).name();
			kept[d] = shape[d] > 1 || axis.equals("x") || axis.equals("y");
			if (!kept[d]) continue;
			if (axis.length() != 1 || IMAGE.indexOf(axis.charAt(0)) < 0 || axes.indexOf(axis) >= 0)
				throw new InputDataException("its dimensions are " + names(zarr.axes()) + " of " + Arrays.toString(shape) + ", and each dimension longer than 1 must be one of x, y, z, c, t");
			axes.append(axis);
		}
		if (axes.indexOf("x") < 0 || axes.indexOf("y") < 0) throw new InputDataException("its dimensions are " + names(zarr.axes()) + ", and x or y is missing");
		RandomAccessibleInterval<?> pixels = zarr.array().image(kept);
		int next = 0;
		for (final char axis : IMAGE.toCharArray()) {
			final int d = axes.indexOf(String.valueOf(axis));
			if (d < 0) continue;
			if (d != next) {
				pixels = Views.moveAxis(pixels, d, next);
				axes.deleteCharAt(d).insert(next, axis);
			}
			next++;
		}
		return new InputImage(name, pixels, axes.toString(), calibration(zarr.axes()), zarr, false);
	}

	private static List<String> names(final List<OmeAxis> axes) {
		return axes.stream().map(OmeAxis::name).toList();
	}

	private static Calibration calibration(final List<OmeAxis> axes) {
		final OmeAxis x = axis(axes, 'x'), y = axis(axes, 'y'), z = axis(axes, 'z'), t = axis(axes, 't');
		final String unit = fromOme(x.unit()), yUnit = fromOme(y.unit()), zUnit = fromOme(z.unit());
		return new Calibration(x.scale(), y.scale(), z.scale(), unit, yUnit == null || yUnit.equals(unit) ? null : yUnit,
			zUnit == null || zUnit.equals(unit) ? null : zUnit,
			t.unit() == null ? 0 : t.scale(), t.unit() == null ? "sec" : fromOme(t.unit()), origin(x), origin(y), origin(z));
	}

	/** The pixel at the calibrated position 0. */
	private static double origin(final OmeAxis axis) {
		return axis.translation() == 0 ? 0 : -axis.translation() / axis.scale();
	}

	private static OmeAxis axis(final List<OmeAxis> axes, final char name) {
		for (final OmeAxis a : axes)
			if (a.name().equals(String.valueOf(name))) return a;
		return new OmeAxis(String.valueOf(name), null, 1, 0);
	}

	private static String fromOme(final String unit) {
		return unit == null ? null : UNITS.getOrDefault(unit, unit);
	}

	private static String toOme(final String unit) {
		if (unit == null) return null;
		switch (unit) {
			case "um": case "micron": case "microns": case "\u03bcm": return "micrometer";
			case "s": case "sec.": return "second";
			default: return UNITS.entrySet().stream().filter(e -> e.getValue().equals(unit)).map(Map.Entry::getKey).findFirst().orElse(unit);
		}
	}

	/**
	 * The layout of a map of an image. If the image comes from Zarr, the map has the same dimensions, those of extent 1 included, and the same Zarr version.
	 *
	 * @param dimensions the number of dimensions of the template
	 * @param shape the shape of the map, in the image's order of dimensions
	 * @param type the type of the pixels
	 * @param quantized whether pixels of 16 or 8 bits are quantized responses
	 */
	public static ZarrMap.Layout layout(final InputImage image, final int dimensions, final MapShape shape, final PixelType type, final boolean quantized) {
		final List<OmeAxis> axes = new ArrayList<>();
		if (image.zarr() != null) axes.addAll(image.zarr().axes());
		else
			for (int i = OME.length() - 1; i >= 0; i--)
				if (image.axes().indexOf(OME.charAt(i)) >= 0) axes.add(of(image.calibration(), OME.charAt(i)));
		final int[] place = new int[axes.size()], chunk = new int[shape.size().length];
		for (int a = 0; a < place.length; a++) {
			final OmeAxis axis = axes.get(a);
			place[a] = axis.name().length() == 1 ? image.axes().indexOf(axis.name()) : -1;
			if (place[a] >= 0) axes.set(a, new OmeAxis(axis.name(), axis.unit(), axis.scale(), axis.translation() + shape.origin()[place[a]] * axis.scale()));
		}
		for (int d = 0; d < chunk.length; d++) chunk[d] = d >= dimensions ? 1 : (int) Math.min(shape.size()[d], dimensions < 3 ? CHUNK : CHUNK_3D);
		return new ZarrMap.Layout(shape.size(), type, quantized, chunk, axes, place, image.zarr() == null ? 2 : image.zarr().array().version());
	}

	private static OmeAxis of(final Calibration c, final char axis) {
		switch (axis) {
			case 'x': return space("x", c.unit(), c.pixelWidth(), c.xOrigin());
			case 'y': return space("y", c.yUnit() == null ? c.unit() : c.yUnit(), c.pixelHeight(), c.yOrigin());
			case 'z': return space("z", c.zUnit() == null ? c.unit() : c.zUnit(), c.pixelDepth(), c.zOrigin());
			case 't': return new OmeAxis("t", c.frameInterval() == 0 ? null : toOme(c.timeUnit()), c.frameInterval() == 0 ? 1 : c.frameInterval(), 0);
			default: return new OmeAxis("c", null, 1, 0);
		}
	}

	private static OmeAxis space(final String name, final String unit, final double scale, final double origin) {
		return new OmeAxis(name, toOme(unit), scale, origin == 0 ? 0 : -origin * scale);
	}

	/** Whether a name denotes a Zarr folder. */
	public static boolean isZarr(final String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[/\\\\]+$", "").endsWith(".zarr");
	}
}
