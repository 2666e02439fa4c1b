package sc.fiji.ncc.store;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * The OME-XML in the description of a file.
 *
 * @see <a href="https://docs.openmicroscopy.org/ome-model/latest/ome-tiff/specification.html">The OME-TIFF specification</a>
 */
public final class OmeXml {

	private static final Pattern BEGIN = Pattern.compile("<(\\w+:)?OME[\\s>]"), END = Pattern.compile(".*</(\\w+:)?OME\\s*>", Pattern.DOTALL);

	private OmeXml() {}

	/**
	 * Reads the root element.
	 *
	 * @param description a text that may hold OME-XML; null for none
	 * @return null if the text holds none
	 * @throws InputDataException if the XML is damaged
	 */
	public static Element root(final String description) throws InputDataException {
		final Matcher begin = BEGIN.matcher(description == null ? "" : description);
		if (!begin.find()) return null;
		// other programs end the text with zeros
		final String from = description.substring(begin.start());
		final Matcher end = END.matcher(from);
		try {
			final DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
			factory.setNamespaceAware(true);
			factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
			factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
			final DocumentBuilder builder = factory.newDocumentBuilder();
			// the message of the exception is the only one
			builder.setErrorHandler(null);
			return builder.parse(new InputSource(new StringReader(end.lookingAt() ? end.group() : from))).getDocumentElement();
		}
		catch (final SAXException | IOException | ParserConfigurationException e) {
			throw new InputDataException("its OME-XML is damaged (" + String.valueOf(e.getMessage()).replaceAll("\\s+", " ").trim() + ")", e);
		}
	}

	/** The elements of this name at any depth, in the order of the document. */
	public static List<Element> all(final Element of, final String name) {
		final NodeList found = of.getElementsByTagNameNS("*", name);
		final List<Element> elements = new ArrayList<>();
		for (int i = 0; i < found.getLength(); i++) elements.add((Element) found.item(i));
		return elements;
	}
}
