package sc.fiji.ncc.track;

import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * Tracks as an XML file that <a href="https://imagej.net/plugins/trackmate/">TrackMate</a> opens ({@code Plugins > Tracking > Load a TrackMate file}). The layout is that
 * of TrackMate 7: the elements and attributes of {@code fiji.plugin.trackmate.io.TmXmlKeys} in its public sources.
 * <p>
 * A template is a track. Each frame in which it is not lost has a spot at the centre of the window, with the score as its quality. Its radius is half the mean extent of the
 * template. An edge leads from one spot of a template to its next one, also across frames in which it is lost. A template with one spot has no track, because TrackMate's
 * tracks consist of edges.
 */
public final class TrackMateFile {

	/** The oldest version of TrackMate 7 that reads this layout. */
	private static final String VERSION = "7.0.0";
	private static final String[][] SPOT_FEATURES = { { "QUALITY", "Quality", "Quality", "QUALITY", "false" }, { "POSITION_X", "X", "X", "POSITION", "false" },
		{ "POSITION_Y", "Y", "Y", "POSITION", "false" }, { "POSITION_Z", "Z", "Z", "POSITION", "false" }, { "POSITION_T", "T", "T", "TIME", "false" },
		{ "FRAME", "Frame", "Frame", "NONE", "true" }, { "RADIUS", "Radius", "R", "LENGTH", "false" }, { "VISIBILITY", "Visibility", "Visibility", "NONE", "true" } };
	private static final String[][] EDGE_FEATURES = { { "SPOT_SOURCE_ID", "Source spot ID", "Source ID", "NONE", "true" },
		{ "SPOT_TARGET_ID", "Target spot ID", "Target ID", "NONE", "true" } };
	private static final String[][] TRACK_FEATURES = { { "TRACK_INDEX", "Track index", "Index", "NONE", "true" }, { "TRACK_ID", "Track ID", "ID", "NONE", "true" } };

	/**
	 * The image in which the templates were tracked.
	 *
	 * @param folder the folder of its file; empty if unknown
	 * @param name the name of its file; empty if unknown
	 * @param size the extents of a frame in pixels, two or three
	 * @param slice the slice of templates of two dimensions, from 0
	 * @param frames the number of frames
	 * @param pixel the extents of a pixel in {@code unit}, two or three
	 * @param unit the unit of length
	 * @param interval the time from one frame to the next in {@code timeUnit}
	 * @param timeUnit the unit of time
	 */
	public record Image(String folder, String name, long[] size, long slice, long frames, double[] pixel, String unit, double interval, String timeUnit) {

		public Image {
			Given.nonNull(folder, "folder");
			Given.nonNull(name, "name");
			Given.nonNull(size, "size");
			Given.nonNull(pixel, "size of a pixel");
			Given.nonNull(unit, "unit");
			Given.nonNull(timeUnit, "unit of time");
		}

		@Override
		public boolean equals(final Object other) {
			return Components.equal(this, other);
		}

		@Override
		public int hashCode() {
			return Components.hash(this);
		}

		@Override
		public String toString() {
			return Components.text(this);
		}

		private long size(final int d) {
			return d < size.length ? size[d] : 1;
		}

		private double pixel(final int d) {
			return d < pixel.length ? pixel[d] : 1;
		}
	}

	private final List<String> names;
	private final List<long[]> templates;
	private final Image image;
	private final XMLStreamWriter xml;

	private TrackMateFile(final List<String> names, final List<long[]> templates, final Image image, final XMLStreamWriter xml) {
		this.names = names;
		this.templates = templates;
		this.image = image;
		this.xml = xml;
	}

	/**
	 * Writes tracks. The character encoding of the writer is UTF-8.
	 *
	 * @param points the points of all templates, in any order
	 * @param names the name of each template, which its track and its spots have
	 * @param templates the extents of each template in pixels
	 * @throws IllegalStateException if the writer fails; the cause is its exception
	 */
	public static void write(final List<TrackPoint> points, final List<String> names, final List<long[]> templates, final Image image, final Writer to) {
		Given.nonNull(points, "list of points");
		Given.nonNull(names, "list of names");
		Given.nonNull(templates, "list of sizes");
		Given.nonNull(image, "image");
		Given.nonNull(to, "writer");
		try {
			final XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(to);
			new TrackMateFile(names, templates, image, xml).write(points.stream().filter(p -> !p.lost()).toList());
			xml.close();
		}
		catch (final XMLStreamException e) {
			throw new IllegalStateException("cannot write the tracks: " + e.getMessage(), e);
		}
	}

	private void write(final List<TrackPoint> spots) throws XMLStreamException {
		xml.writeStartDocument("UTF-8", "1.0");
		start("TrackMate", "version", VERSION);
		start("Model", "spatialunits", image.unit, "timeunits", image.timeUnit);
		start("FeatureDeclarations");
		declare("SpotFeatures", SPOT_FEATURES);
		declare("EdgeFeatures", EDGE_FEATURES);
		declare("TrackFeatures", TRACK_FEATURES);
		end();
		spots(spots);
		tracks(spots);
		end();
		settings();
		// without content: TrackMate shows the tracks as the user likes
		element("DisplaySettings");
		element("GUIState", "state", "ConfigureViews");
		end();
		xml.writeEndDocument();
	}

	/** The number of a spot. Numbers do not depend on which other spots exist. */
	private int id(final TrackPoint p) {
		return Math.toIntExact(Math.addExact(Math.multiplyExact(p.frame(), (long) templates.size()), p.template()));
	}

	private void spots(final List<TrackPoint> spots) throws XMLStreamException {
		start("AllSpots", "nspots", spots.size());
		final Map<Long, List<TrackPoint>> frames = new TreeMap<>();
		for (final TrackPoint p : spots) frames.computeIfAbsent(p.frame(), f -> new ArrayList<>()).add(p);
		for (final Map.Entry<Long, List<TrackPoint>> frame : frames.entrySet()) {
			start("SpotsInFrame", "frame", frame.getKey());
			for (final TrackPoint p : frame.getValue()) {
				final long[] size = templates.get(p.template());
				double radius = 0;
				final double[] centre = { 0, 0, image.slice * image.pixel(2) };
				for (int d = 0; d < size.length; d++) {
					centre[d] = (p.subpixel()[d] + (size[d] - 1) / 2.0) * image.pixel(d);
					radius += size[d] * image.pixel(d) / (2.0 * size.length);
				}
				element("Spot", "ID", id(p), "name", names.get(p.template()), "QUALITY", p.score(), "POSITION_X", centre[0], "POSITION_Y",
					centre[1], "POSITION_Z", centre[2],
					"POSITION_T", p.frame() * image.interval, "FRAME", p.frame(), "RADIUS", radius, "VISIBILITY", 1);
			}
			end();
		}
		end();
	}

	private void tracks(final List<TrackPoint> spots) throws XMLStreamException {
		final List<Integer> written = new ArrayList<>();
		start("AllTracks");
		for (int t = 0; t < templates.size(); t++) {
			final int template = t;
			final List<TrackPoint> own = spots.stream().filter(p -> p.template() == template).sorted(Comparator.comparingLong(TrackPoint::frame)).toList();
			if (own.size() < 2) continue;
			start("Track", "name", names.get(t), "TRACK_ID", t, "TRACK_INDEX", written.size());
			for (int i = 1; i < own.size(); i++) element("Edge", "SPOT_SOURCE_ID", id(own.get(i - 1)), "SPOT_TARGET_ID", id(own.get(i)));
			end();
			written.add(t);
		}
		end();
		start("FilteredTracks");
		for (final int t : written) element("TrackID", "TRACK_ID", t);
		end();
	}

	/** TrackMate opens the image by its file, and needs a detector and a tracker. */
	private void settings() throws XMLStreamException {
		start("Settings");
		element("ImageData", "filename", image.name, "folder", image.folder, "width", image.size(0), "height", image.size(1), "nslices", image.size(2), "nframes", image.frames,
			"pixelwidth", image.pixel(0), "pixelheight", image.pixel(1), "voxeldepth", image.pixel(2), "timeinterval", image.interval);
		element("BasicSettings", "xstart", 0, "xend", image.size(0) - 1, "ystart", 0, "yend", image.size(1) - 1, "zstart", 0, "zend", image.size(2) - 1, "tstart", 0, "tend",
			image.frames - 1);
		element("DetectorSettings", "DETECTOR_NAME", "MANUAL_DETECTOR", "RADIUS", 5.0);
		element("InitialSpotFilter", "feature", "QUALITY", "value", -1.0, "isabove", true);
		element("SpotFilterCollection");
		element("TrackerSettings", "TRACKER_NAME", "MANUAL_TRACKER");
		element("TrackFilterCollection");
		start("AnalyzerCollection");
		element("SpotAnalyzers");
		element("EdgeAnalyzers");
		element("TrackAnalyzers");
		end();
		end();
	}

	private void declare(final String kind, final String[][] features) throws XMLStreamException {
		start(kind);
		for (final String[] f : features) element("Feature", "feature", f[0], "name", f[1], "shortname", f[2], "dimension", f[3], "isint", f[4]);
		end();
	}

	private void start(final String name, final Object... attributes) throws XMLStreamException {
		xml.writeCharacters("\n");
		xml.writeStartElement(name);
		attributes(attributes);
	}

	private void element(final String name, final Object... attributes) throws XMLStreamException {
		xml.writeCharacters("\n");
		xml.writeEmptyElement(name);
		attributes(attributes);
	}

	/** @param attributes names and values by turns */
	private void attributes(final Object... attributes) throws XMLStreamException {
		for (int i = 0; i < attributes.length; i += 2) xml.writeAttribute((String) attributes[i], String.valueOf(attributes[i + 1]));
	}

	private void end() throws XMLStreamException {
		xml.writeCharacters("\n");
		xml.writeEndElement();
	}
}
