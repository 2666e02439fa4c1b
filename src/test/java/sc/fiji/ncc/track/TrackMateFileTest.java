package sc.fiji.ncc.track;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/** The file read back as TrackMate's reader reads it: spots by frame, then edges between spots by their numbers. */
class TrackMateFileTest {

	private static final List<String> NAMES = List.of("bead.tif", "a & b.tif", "roi 1 2 3 4");
	private static final TrackMateFile.Image IMAGE = new TrackMateFile.Image("/data", "a & b <1>.tif", new long[] { 100, 80 }, 0, 4,
		new double[] { 0.5, 0.25 }, "\u00b5m", 2, "s");

	private static TrackPoint point(final int template, final long frame, final double x, final double y, final double score, final boolean lost) {
		return new TrackPoint(template, frame, new long[] { Math.round(x), Math.round(y) }, new double[] { x, y }, score, Double.NaN, lost, new double[2], false);
	}

	private static Document written(final List<TrackPoint> points, final List<long[]> templates, final TrackMateFile.Image image) throws Exception {
		final StringWriter to = new StringWriter();
		TrackMateFile.write(points, NAMES.subList(0, templates.size()), templates, image, to);
		return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(to.toString())));
	}

	private static List<Element> children(final Element of, final String name) {
		final List<Element> found = new ArrayList<>();
		for (Node n = of.getFirstChild(); n != null; n = n.getNextSibling()) if (n.getNodeName().equals(name)) found.add((Element) n);
		return found;
	}

	private static Element child(final Element of, final String... path) {
		Element e = of;
		for (final String name : path) e = children(e, name).get(0);
		return e;
	}

	private static double value(final Element e, final String name) {
		return Double.parseDouble(e.getAttribute(name));
	}

	@Test
	void spotsAndTracks() throws Exception {
		// template 1 is lost in frame 2; template 2 is found in one frame; template 3 in all
		final List<TrackPoint> points = new ArrayList<>();
		for (int f = 3; f >= 0; f--) {
			points.add(point(0, f, 10 + f, 20, 0.9, f == 1));
			points.add(point(1, f, 30, 40, f == 2 ? 0.75 : Double.NaN, f != 2));
			points.add(point(2, f, 50.5, 60 + 2 * f, 0.8, false));
		}
		final Element root = written(points, List.of(new long[] { 9, 7 }, new long[] { 8, 8 }, new long[] { 1, 1 }), IMAGE).getDocumentElement(), model = child(root, "Model");
		assertEquals("TrackMate", root.getNodeName());
		assertEquals("\u00b5m", model.getAttribute("spatialunits"));
		final Map<String, Element> spots = new TreeMap<>();
		final List<Integer> inFrames = new ArrayList<>();
		for (final Element frame : children(child(model, "AllSpots"), "SpotsInFrame")) {
			inFrames.add(children(frame, "Spot").size());
			for (final Element spot : children(frame, "Spot")) {
				assertEquals(frame.getAttribute("frame"), spot.getAttribute("FRAME"));
				assertEquals(2 * value(spot, "FRAME"), value(spot, "POSITION_T"));
				spots.put(spot.getAttribute("ID"), spot);
			}
		}
		assertEquals(List.of(2, 1, 3, 2), inFrames);
		assertEquals(8, value(child(model, "AllSpots"), "nspots"));
		assertEquals(8, spots.size(), "numbers are unique");
		final Map<String, List<Integer>> tracks = new TreeMap<>();
		for (final Element track : children(child(model, "AllTracks"), "Track")) {
			final List<Integer> frames = new ArrayList<>();
			for (final Element edge : children(track, "Edge")) {
				final Element from = spots.get(edge.getAttribute("SPOT_SOURCE_ID")), to = spots.get(edge.getAttribute("SPOT_TARGET_ID"));
				assertEquals(track.getAttribute("name"), from.getAttribute("name"));
				assertEquals(track.getAttribute("name"), to.getAttribute("name"));
				frames.add(Integer.valueOf(from.getAttribute("FRAME")));
				frames.add(Integer.valueOf(to.getAttribute("FRAME")));
			}
			tracks.put(track.getAttribute("TRACK_ID"), frames);
		}
		assertEquals(Map.of("0", List.of(0, 2, 2, 3), "2", List.of(0, 1, 1, 2, 2, 3)), tracks);
		assertEquals(List.of("0", "2"), children(child(model, "FilteredTracks"), "TrackID").stream().map(e -> e.getAttribute("TRACK_ID")).toList());
		final Element first = spots.values().stream().filter(s -> s.getAttribute("name").equals(NAMES.get(0)) && s.getAttribute("FRAME").equals("2"))
			.findFirst().orElseThrow();
		// the centre of 9x7 pixels from (12, 20)
		assertEquals((12 + 4) * 0.5, value(first, "POSITION_X"));
		assertEquals((20 + 3) * 0.25, value(first, "POSITION_Y"));
		assertEquals(0, value(first, "POSITION_Z"));
		assertEquals(0.9, value(first, "QUALITY"));
		assertEquals((9 * 0.5 + 7 * 0.25) / 4, value(first, "RADIUS"));
	}

	/** Frames are in order, and tracks are numbered without those templates that have none. */
	@Test
	void theOrderOfFramesAndTracks() throws Exception {
		final List<TrackPoint> points = new ArrayList<>(List.of(point(0, 0, 1, 2, 0.9, false)));
		for (final int frame : new int[] { 1000, 3, 70, 17 }) points.add(point(1, frame, 1, 2, 0.9, false));
		final Element model = child(written(points, List.of(new long[] { 3, 3 }, new long[] { 3, 3 }), IMAGE).getDocumentElement(),
			"Model");
		assertEquals(List.of("0", "3", "17", "70", "1000"), children(child(model, "AllSpots"), "SpotsInFrame").stream()
			.map(e -> e.getAttribute("frame")).toList());
		final Element track = child(model, "AllTracks", "Track");
		assertEquals("1 0", track.getAttribute("TRACK_ID") + " " + track.getAttribute("TRACK_INDEX"));
	}

	/** Each attribute of a spot, edge or track is declared, as TrackMate writes it. */
	@Test
	void featuresAreDeclared() throws Exception {
		final List<TrackPoint> points = List.of(point(0, 0, 1, 2, 0.9, false), point(0, 1, 1, 2, 0.9, false));
		final Element model = child(written(points, List.of(new long[] { 3, 3 }), IMAGE).getDocumentElement(), "Model");
		declared(child(model, "AllSpots", "SpotsInFrame", "Spot"), child(model, "FeatureDeclarations", "SpotFeatures"), "ID", "name");
		declared(child(model, "AllTracks", "Track", "Edge"), child(model, "FeatureDeclarations", "EdgeFeatures"));
		declared(child(model, "AllTracks", "Track"), child(model, "FeatureDeclarations", "TrackFeatures"), "name");
	}

	private static void declared(final Element of, final Element declarations, final String... others) {
		final List<String> names = new ArrayList<>(List.of(others));
		for (final Element e : children(declarations, "Feature")) names.add(e.getAttribute("feature"));
		final List<String> found = new ArrayList<>();
		for (int i = 0; i < of.getAttributes().getLength(); i++) found.add(of.getAttributes().item(i).getNodeName());
		assertEquals(names.stream().sorted().toList(), found.stream().sorted().toList());
	}

	@Test
	void volumes() throws Exception {
		final TrackMateFile.Image volume = new TrackMateFile.Image("", "", new long[] { 20, 30, 40 }, 0, 2, new double[] { 1, 1, 3 }, "pixel", 1, "frame");
		final TrackPoint p = new TrackPoint(0, 1, new long[] { 1, 2, 3 }, new double[] { 1, 2, 3 }, 0.9, Double.NaN, false, new double[3], false);
		final Element root = written(List.of(p), List.of(new long[] { 3, 3, 5 }), volume).getDocumentElement();
		final Element spot = child(root, "Model", "AllSpots", "SpotsInFrame", "Spot"), image = child(root, "Settings", "ImageData");
		assertEquals((3 + 2) * 3, value(spot, "POSITION_Z"));
		assertEquals(40, value(image, "nslices"));
		assertEquals(3, value(image, "voxeldepth"));
		assertEquals(0, children(child(root, "Model", "AllTracks"), "Track").size());
	}

	/** Templates of two dimensions lie in their slice. */
	@Test
	void slices() throws Exception {
		final TrackMateFile.Image slice = new TrackMateFile.Image("", "", new long[] { 20, 30 }, 4, 2, new double[] { 1, 1, 3 }, "pixel", 1, "frame");
		final Element root = written(List.of(point(0, 1, 1, 2, 0.9, false)), List.of(new long[] { 3, 3 }), slice).getDocumentElement();
		final Element spot = child(root, "Model", "AllSpots", "SpotsInFrame", "Spot");
		assertEquals("2.0 3.0 12.0", String.join(" ", spot.getAttribute("POSITION_X"), spot.getAttribute("POSITION_Y"), spot.getAttribute("POSITION_Z")));
		assertEquals("1.5", spot.getAttribute("RADIUS"));
	}

	@Test
	void theImage() throws Exception {
		final Element settings = child(written(List.of(), List.of(), IMAGE).getDocumentElement(), "Settings"), image = child(settings, "ImageData");
		assertEquals("a & b <1>.tif", image.getAttribute("filename"));
		assertEquals("/data", image.getAttribute("folder"));
		assertEquals("100 80 1 4", String.join(" ", image.getAttribute("width"), image.getAttribute("height"), image.getAttribute("nslices"), image.getAttribute("nframes")));
		assertEquals("MANUAL_DETECTOR", child(settings, "DetectorSettings").getAttribute("DETECTOR_NAME"));
	}

	/** The settings are those that TrackMate 7 needs to open the image. */
	@Test
	void theSettings() {
		final StringWriter to = new StringWriter();
		TrackMateFile.write(List.of(), List.of(), List.of(),
			new TrackMateFile.Image("/data", "a.tif", new long[] { 100, 80, 7 }, 0, 4, new double[] { 0.5, 0.25, 2 }, "mm", 3, "s"), to);
		final String text = to.toString();
		assertTrue(text.startsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TrackMate version=\"7.0.0\">\n<Model "), text);
		assertEquals("""
			<Settings>
			<ImageData filename="a.tif" folder="/data" width="100" height="80" nslices="7" nframes="4" pixelwidth="0.5" pixelheight="0.25" \
			voxeldepth="2.0" timeinterval="3.0"/>
			<BasicSettings xstart="0" xend="99" ystart="0" yend="79" zstart="0" zend="6" tstart="0" tend="3"/>
			<DetectorSettings DETECTOR_NAME="MANUAL_DETECTOR" RADIUS="5.0"/>
			<InitialSpotFilter feature="QUALITY" value="-1.0" isabove="true"/>
			<SpotFilterCollection/>
			<TrackerSettings TRACKER_NAME="MANUAL_TRACKER"/>
			<TrackFilterCollection/>
			<AnalyzerCollection>
			<SpotAnalyzers/>
			<EdgeAnalyzers/>
			<TrackAnalyzers/>
			</AnalyzerCollection>
			</Settings>
			<DisplaySettings/>
			<GUIState state="ConfigureViews"/>
			</TrackMate>""", text.substring(text.indexOf("<Settings>")));
	}
}
