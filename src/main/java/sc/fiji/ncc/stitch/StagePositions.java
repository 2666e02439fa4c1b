package sc.fiji.ncc.stitch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.w3c.dom.Element;

import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.store.InputDataException;
import sc.fiji.ncc.store.OmeXml;

/**
 * The positions of the stage from the metadata of tiles: {@code PositionX}, {@code PositionY} and {@code PositionZ} of the first plane in OME-XML,
 * divided by the size of a pixel; or else the calibrated origin of the image, as in OME-Zarr and in TIFF files of ImageJ.
 */
public final class StagePositions {

	/** The word in place of the name of a file of positions. */
	public static final String METADATA = "metadata";

	/** The length of units of OME in micrometers. */
	private static final Map<String, Double> UNITS = Map.of("\u00b5m", 1.0, "\u03bcm", 1.0, "um", 1.0, "\u00c5", 1e-4, "nm", 1e-3, "mm", 1e3, "cm", 1e4, "m", 1e6,
		"in", 25_400.0);
	private static final String MICROMETER = "\u00b5m", PIXEL = "pixel";

	private StagePositions() {}

	/**
	 * What a file says of its place.
	 *
	 * @param file the name of the file
	 * @param description a text that may hold OME-XML; null for none
	 * @param origin the position of the calibrated origin along x, y and z, in pixels
	 */
	public record Metadata(String file, String description, double[] origin) {

		public Metadata {
			Given.nonNull(file, "name of a file");
			Given.nonNull(origin, "origin");
		}
	}

	/**
	 * @param dimensions 2 or 3
	 * @throws IllegalArgumentException if the metadata of a file are damaged or incomplete, or all tiles have the same position
	 */
	public static PositionsFile of(final List<Metadata> tiles, final int dimensions) {
		final Map<String, double[]> positions = new LinkedHashMap<>();
		for (final Metadata tile : tiles) positions.put(tile.file, Arrays.copyOf(position(tile), dimensions));
		final List<double[]> all = new ArrayList<>(positions.values());
		if (all.size() > 1 && all.stream().allMatch(p -> Arrays.equals(p, all.get(0)))) throw new IllegalArgumentException(
			"the metadata of all tiles state the same position: give a grid, or a file of positions");
		return new PositionsFile(dimensions, positions);
	}

	private static double[] position(final Metadata tile) {
		final Element ome = root(tile);
		final double[] position = new double[3];
		if (ome == null) {
			for (int d = 0; d < position.length; d++) position[d] = d < tile.origin.length && tile.origin[d] != 0 ? -tile.origin[d] : 0;
			return position;
		}
		final Element pixels = child(image(ome, tile.file), "Pixels", tile.file), plane = child(pixels, "Plane", tile.file);
		for (int d = 0; d < position.length; d++) {
			final String axis = "XYZ".substring(d, d + 1), stated = plane.getAttribute("Position" + axis), unit = plane.getAttribute("Position" + axis + "Unit");
			// planes at one depth need no z
			if (stated.isEmpty() && d == 2) continue;
			if (unit.equals(PIXEL)) position[d] = number(tile.file, "Position" + axis, stated);
			else position[d] = number(tile.file, "Position" + axis, stated) * length(tile.file, "Position" + axis, unit)
				/ (number(tile.file, "PhysicalSize" + axis, pixels.getAttribute("PhysicalSize" + axis))
					* length(tile.file, "PhysicalSize" + axis, pixels.getAttribute("PhysicalSize" + axis + "Unit")));
		}
		return position;
	}

	private static Element root(final Metadata tile) {
		try {
			return OmeXml.root(tile.description);
		}
		catch (final InputDataException e) {
			throw new IllegalArgumentException(e.getMessage().replace("its OME-XML", "the OME-XML of " + tile.file) + ": give a grid, or a file of positions", e);
		}
	}

	/** The image of a file. The files of one recording may state the images of all of them. */
	private static Element image(final Element ome, final String file) {
		final List<Element> images = OmeXml.all(ome, "Image");
		if (images.size() == 1) return images.get(0);
		final String name = PositionsFile.base(file);
		return images.stream().filter(i -> OmeXml.all(i, "UUID").stream().anyMatch(u -> u.getAttribute("FileName").equals(name))).findFirst()
			.orElseThrow(() -> new IllegalArgumentException("the OME-XML of " + file + " has " + images.size()
				+ " images, and none of them names this file: save each tile as a file, or give a file of positions"));
	}

	private static Element child(final Element of, final String name, final String file) {
		return OmeXml.all(of, name).stream().findFirst().orElseThrow(() -> new IllegalArgumentException("the OME-XML of " + file + " has no element " + name
			+ ", and so no position: give a grid, or a file of positions"));
	}

	private static double number(final String file, final String attribute, final String text) {
		try {
			final double value = Double.parseDouble(text);
			if (Double.isFinite(value) && (value > 0 || attribute.startsWith("Position"))) return value;
		}
		catch (final NumberFormatException e) {
			// as a number that cannot be
		}
		throw new IllegalArgumentException("the OME-XML of " + file + (text.isEmpty() ? " has no " + attribute : " has " + attribute + "=" + text)
			+ ": give a grid, or a file of positions");
	}

	/** The length of a unit in micrometers, which are the default of OME. */
	private static double length(final String file, final String attribute, final String unit) {
		final Double length = UNITS.get(unit.isEmpty() ? MICROMETER : unit);
		if (length == null) throw new IllegalArgumentException("the OME-XML of " + file + " has " + attribute + "Unit=" + unit
			+ ", which is not a length: give a grid, or a file of positions");
		return length;
	}
}
