package sc.fiji.ncc.stitch;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import sc.fiji.ncc.plan.Given;

/**
 * The positions of the stage from the metadata of tiles: {@code PositionX}, {@code PositionY} and {@code PositionZ} of the first plane in OME-XML,
 * divided by the size of a pixel; or else the calibrated origin of the image, as in OME-Zarr and in TIFF files of ImageJ.
 */
public final class StagePositions {

	/** The word in place of the name of a file of positions. */
	public static final String METADATA = "metadata";

	private static final Pattern OME = Pattern.compile("<(\\w+:)?OME[\\s>].*</(\\w+:)?OME>", Pattern.DOTALL);
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
		final Matcher ome = OME.matcher(tile.description == null ? "" : tile.description);
		final double[] position = new double[3];
		if (!ome.find()) {
			for (int d = 0; d < position.length; d++) position[d] = d < tile.origin.length && tile.origin[d] != 0 ? -tile.origin[d] : 0;
			return position;
		}
		final Element pixels = child(image(parsed(tile.file, ome.group()), tile.file), "Pixels", tile.file), plane = child(pixels, "Plane", tile.file);
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

	private static Document parsed(final String file, final String xml) {
		try {
			final DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
			factory.setNamespaceAware(true);
			factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
			factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
			final var builder = factory.newDocumentBuilder();
			// the message below is the only one
			builder.setErrorHandler(null);
			return builder.parse(new InputSource(new StringReader(xml)));
		}
		catch (final SAXException | IOException | ParserConfigurationException e) {
			throw new IllegalArgumentException("the OME-XML of " + file + " is damaged (" + e.getMessage() + "): give a grid, or a file of positions", e);
		}
	}

	/** The image of a file. The files of one recording may state the images of all of them. */
	private static Element image(final Document xml, final String file) {
		final NodeList images = xml.getElementsByTagNameNS("*", "Image");
		Element found = images.getLength() == 1 ? (Element) images.item(0) : null;
		for (int i = 0; i < images.getLength() && found == null; i++) {
			final NodeList names = ((Element) images.item(i)).getElementsByTagNameNS("*", "UUID");
			for (int k = 0; k < names.getLength(); k++)
				if (((Element) names.item(k)).getAttribute("FileName").equals(PositionsFile.base(file))) found = (Element) images.item(i);
		}
		if (found == null) throw new IllegalArgumentException("the OME-XML of " + file + " has " + images.getLength()
			+ " images, and none of them names this file: save each tile as a file, or give a file of positions");
		return found;
	}

	private static Element child(final Element of, final String name, final String file) {
		final NodeList all = of.getElementsByTagNameNS("*", name);
		if (all.getLength() == 0) throw new IllegalArgumentException("the OME-XML of " + file + " has no element " + name
			+ ", and so no position: give a grid, or a file of positions");
		return (Element) all.item(0);
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
