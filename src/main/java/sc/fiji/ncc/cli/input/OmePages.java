package sc.fiji.ncc.cli.input;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.w3c.dom.Element;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.store.InputDataException;
import sc.fiji.ncc.store.OmeXml;

/**
 * The channels, slices and frames of the pages of an OME-TIFF file, and its pixel sizes. Of a recording in several files, these are the planes in this file.
 *
 * @param channels the number of channels; the colours of a page are one channel
 * @param order the index of the page of each plane, channels first, then slices, then frames
 * @param calibration null if the file states no pixel size
 * @see <a href="https://docs.openmicroscopy.org/ome-model/latest/ome-tiff/specification.html">The OME-TIFF specification</a>
 */
record OmePages(int channels, int slices, int frames, int[] order, Calibration calibration) {

	private static final String DEFAULT_UNIT = "\u00b5m", SAVE = ": open it in ImageJ with Bio-Formats, and save it as TIFF";

	/**
	 * @param description the description of the first page
	 * @param file the name of the file, without its folder
	 * @param pages the number of pages
	 * @param samples the number of samples per pixel
	 * @return null if the description holds no OME-XML, or only the name of a file that holds it
	 * @throws InputDataException if the XML is damaged, or contradicts the pages
	 */
	static OmePages of(final String description, final String file, final int width, final int height, final int pages, final long samples)
		throws InputDataException
	{
		final Element root = OmeXml.root(description);
		if (root == null || !OmeXml.all(root, "BinaryOnly").isEmpty()) return null;
		OmePages found = null;
		for (final Element pixels : OmeXml.all(root, "Pixels")) {
			final OmePages planes = of(pixels, new Part(root.getAttribute("UUID"), file, pages), width, height, samples);
			if (planes == null) continue;
			if (found != null) throw new InputDataException("its OME-XML describes several images in this file: save each of them as a file");
			found = planes;
		}
		if (found == null) throw new InputDataException("its OME-XML describes no image in this file" + SAVE);
		return found;
	}

	/** A file of a recording. @param uuid its identifier; empty without */
	private record Part(String uuid, String name, int pages) {

		/** Whether a block of planes is in this file. A file that stands alone may have been renamed. */
		boolean holds(final Element data, final boolean alone) {
			final List<Element> ids = OmeXml.all(data, "UUID");
			return alone || ids.isEmpty() || ids.get(0).getAttribute("FileName").equals(name)
				|| !uuid.isEmpty() && ids.get(0).getTextContent().trim().equals(uuid);
		}
	}

	/** Returns null if none of the planes is in this file. */
	private static OmePages of(final Element pixels, final Part file, final int width, final int height, final long samples) throws InputDataException {
		final Axes axes = Axes.of(pixels, samples);
		final List<Element> blocks = OmeXml.all(pixels, "TiffData");
		final Element root = pixels.getOwnerDocument().getDocumentElement();
		final boolean alone = OmeXml.all(root, "UUID").stream().map(u -> u.getAttribute("FileName")).distinct().count() <= 1;
		// the plane of each page; -1 for none
		final long[] planes = new long[file.pages];
		Arrays.fill(planes, -1);
		int n = 0;
		for (final Element block : blocks) {
			if (!file.holds(block, alone)) continue;
			final boolean all = block.getAttribute("IFD").isEmpty() && block.getAttribute("PlaneCount").isEmpty();
			final long page = number(block, "IFD", 0, 0, Integer.MAX_VALUE), first = axes.first(block);
			final long count = number(block, "PlaneCount", all ? axes.count() - first : 1, 0, axes.count() - first);
			if (page + count > file.pages) throw new InputDataException("its OME-XML states " + (page + count) + " pages, and it has " + file.pages
				+ ": it is not complete; get a complete copy");
			for (int i = 0; i < count; i++, n++) planes[(int) page + i] = first + i;
		}
		if (blocks.isEmpty()) {
			if (axes.count() != file.pages) throw new InputDataException("its OME-XML states " + axes.text() + ", and it has " + file.pages + " pages" + SAVE);
			for (; n < file.pages; n++) planes[n] = n;
		}
		if (n == 0) return null;
		final long sizeX = number(pixels, "SizeX", -1, 1, Integer.MAX_VALUE), sizeY = number(pixels, "SizeY", -1, 1, Integer.MAX_VALUE);
		if (sizeX != width || sizeY != height)
			throw new InputDataException("its OME-XML states planes of " + sizeX + "x" + sizeY + " pixels, and its pages have " + width + "x" + height + SAVE);
		return axes.box(planes, calibration(pixels));
	}

	/** The order of the planes: the positions of C, Z and T among the axes after x and y, fastest first, and their extents in this order. */
	private record Axes(String order, long[] sizes) {

		static Axes of(final Element pixels, final long samples) throws InputDataException {
			final String order = pixels.getAttribute("DimensionOrder");
			if (!order.matches("XY(CZT|CTZ|ZCT|ZTC|TCZ|TZC)"))
				throw new InputDataException("its OME-XML has DimensionOrder=" + order + ", and XYZCT and the like are supported" + SAVE);
			final long[] sizes = new long[3];
			for (int a = 0; a < 3; a++) sizes[a] = number(pixels, "Size" + order.charAt(a + 2), -1, 1, Integer.MAX_VALUE);
			// the samples of a page count as channels
			final int c = order.indexOf('C') - 2;
			if (sizes[c] % samples != 0)
				throw new InputDataException("its OME-XML has SizeC=" + sizes[c] + ", and a page has " + samples + " samples per pixel" + SAVE);
			sizes[c] /= samples;
			if ((double) sizes[0] * sizes[1] * sizes[2] > Integer.MAX_VALUE) throw new InputDataException("its OME-XML states too many planes: " + sizes[0] + "x"
				+ sizes[1] + "x" + sizes[2]);
			return new Axes(order.substring(2), sizes);
		}

		long count() {
			return sizes[0] * sizes[1] * sizes[2];
		}

		String text() {
			return size('C') + " channels of " + size('Z') + " slices in " + size('T') + " frames";
		}

		private long size(final char axis) {
			return sizes[order.indexOf(axis)];
		}

		/** The index of the first plane of a block. */
		long first(final Element block) throws InputDataException {
			long first = 0;
			for (int a = 2; a >= 0; a--) first = first * sizes[a] + number(block, "First" + order.charAt(a), 0, 0, sizes[a] - 1);
			return first;
		}

		/** The position of a plane along an axis. */
		private int position(final long plane, final char axis) {
			long rest = plane;
			for (int a = 0; a < order.indexOf(axis); a++) rest /= sizes[a];
			return (int) (rest % size(axis));
		}

		/** The pages of planes that are a box of channels, slices and frames. */
		OmePages box(final long[] planes, final Calibration calibration) throws InputDataException {
			final List<int[]> places = new ArrayList<>();
			for (final char axis : new char[] { 'C', 'Z', 'T' })
				places.add(Arrays.stream(planes).filter(p -> p >= 0).mapToInt(p -> position(p, axis)).sorted().distinct().toArray());
			final int c = places.get(0).length, z = places.get(1).length, t = places.get(2).length;
			final int[] order = new int[(int) Math.min(planes.length, (long) c * z * t)];
			Arrays.fill(order, -1);
			int n = 0;
			for (int page = 0; page < planes.length; page++) {
				if (planes[page] < 0) continue;
				final int[] at = new int[3];
				for (int a = 0; a < 3; a++) at[a] = Arrays.binarySearch(places.get(a), position(planes[page], "CZT".charAt(a)));
				final long place = at[0] + (long) c * (at[1] + (long) z * at[2]);
				if (place < order.length && order[(int) place] < 0) {
					order[(int) place] = page;
					n++;
				}
			}
			if (n < (long) c * z * t) throw new InputDataException("its OME-XML states " + text() + ", and it has pages for " + n + " of " + (long) c * z * t
				+ " planes: it is not complete; get a complete copy");
			return new OmePages(c, z, t, order, calibration);
		}
	}

	/** The pixel sizes and the frame interval; null if neither a size along x nor an interval is stated. */
	private static Calibration calibration(final Element pixels) throws InputDataException {
		final double x = size(pixels, "PhysicalSizeX"), y = size(pixels, "PhysicalSizeY"), z = size(pixels, "PhysicalSizeZ"),
			interval = size(pixels, "TimeIncrement");
		if (x == 0 && interval == 0) return null;
		final String unit = unit(pixels, "PhysicalSizeX"), yUnit = unit(pixels, "PhysicalSizeY"), zUnit = unit(pixels, "PhysicalSizeZ"),
			timeUnit = pixels.getAttribute("TimeIncrementUnit");
		final String time = timeUnit.isEmpty() || timeUnit.equals("s") ? "sec" : timeUnit;
		if (x == 0) return new Calibration(1, 1, 1, null, null, null, interval, time, 0, 0, 0);
		return new Calibration(x, y == 0 ? x : y, z == 0 ? 1 : z, unit, y == 0 || yUnit.equals(unit) ? null : yUnit, z == 0 || zUnit.equals(unit) ? null : zUnit,
			interval, time, 0, 0, 0);
	}

	private static String unit(final Element pixels, final String size) {
		final String unit = pixels.getAttribute(size + "Unit");
		return unit.isEmpty() ? DEFAULT_UNIT : unit;
	}

	/** A size of a pixel or a time; 0 if it is not stated. */
	private static double size(final Element pixels, final String attribute) throws InputDataException {
		final String text = pixels.getAttribute(attribute);
		if (text.isEmpty()) return 0;
		try {
			final double value = Double.parseDouble(text);
			if (value >= 0 && value < Double.POSITIVE_INFINITY) return value;
		}
		catch (final NumberFormatException e) {
			// as a number that cannot be
		}
		throw wrong(attribute, text);
	}

	/** @param otherwise the number if it is not stated; negative if it must be */
	private static long number(final Element of, final String attribute, final long otherwise, final long min, final long max) throws InputDataException {
		final String text = of.getAttribute(attribute);
		if (text.isEmpty() && otherwise >= 0) return otherwise;
		try {
			final long value = Long.parseLong(text);
			if (value >= min && value <= max) return value;
		}
		catch (final NumberFormatException e) {
			// as a number that cannot be
		}
		throw wrong(attribute, text);
	}

	private static InputDataException wrong(final String attribute, final String text) {
		return new InputDataException("its OME-XML has " + (text.isEmpty() ? "no " + attribute : attribute + "=" + text) + SAVE);
	}
}
