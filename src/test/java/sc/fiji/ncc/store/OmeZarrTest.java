package sc.fiji.ncc.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the versions of OME-Zarr say of an image, and what is made of arrays that say nothing. */
class OmeZarrTest {

	@TempDir
	Path folder;

	private void array(final String name, final String shape, final String attributes) throws IOException {
		final Path array = Files.createDirectories(folder.resolve(name));
		Files.writeString(array.resolve(".zarray"), "{\"zarr_format\":2,\"shape\":" + shape + ",\"chunks\":" + shape
			+ ",\"dtype\":\"|u1\",\"compressor\":null,\"fill_value\":0,\"order\":\"C\",\"filters\":null}");
		if (attributes != null) Files.writeString(array.resolve(".zattrs"), attributes);
	}

	private void group(final String attributes) throws IOException {
		Files.writeString(folder.resolve(".zgroup"), "{\"zarr_format\":2}");
		Files.writeString(folder.resolve(".zattrs"), attributes);
	}

	private List<OmeAxis> axes(final String path) throws IOException {
		return OmeZarr.open("i", folder.resolve(path)).axes();
	}

	private static OmeAxis bare(final String name) {
		return new OmeAxis(name, null, 1, 0);
	}

	@Test
	void versionOneHasFiveDimensions() throws IOException {
		array("0", "[1,2,3,4,5]", null);
		group("{\"multiscales\":[{\"version\":\"0.1\",\"datasets\":[{\"path\":\"0\"}]}]}");
		assertEquals(List.of(bare("t"), bare("c"), bare("z"), bare("y"), bare("x")), axes(""));
	}

	@Test
	void versionThreeNamesThem() throws IOException {
		array("0", "[2,4,5]", null);
		group("{\"multiscales\":[{\"version\":\"0.3\",\"axes\":[\"c\",\"y\",\"x\"],\"datasets\":[{\"path\":\"0\"}]}]}");
		assertEquals(List.of(bare("c"), bare("y"), bare("x")), axes(""));
	}

	/** Of a resolution first its own, then what stands for all. */
	@Test
	void transformationsFollowEachOther() throws IOException {
		array("s0", "[8,6]", null);
		array("s1", "[4,3]", null);
		group("{\"multiscales\":[{\"version\":\"0.4\",\"axes\":[{\"name\":\"y\",\"unit\":\"micrometer\"},{\"name\":\"x\"}],\"datasets\":[{\"path\":\"s0\"},"
			+ "{\"path\":\"s1\",\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[2,2]},{\"type\":\"translation\",\"translation\":[0.5,1]}]}],"
			+ "\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[10,0.1]}]}]}");
		assertEquals(List.of(new OmeAxis("y", "micrometer", 10, 0), new OmeAxis("x", null, 0.1, 0)), axes(""));
		assertEquals(List.of(new OmeAxis("y", "micrometer", 20, 5), new OmeAxis("x", null, 0.2, 0.1)), axes("s1"));
	}

	@Test
	void anArrayAlone() throws IOException {
		array("a", "[3,4,5]", null);
		assertEquals(List.of(bare("z"), bare("y"), bare("x")), axes("a"));
		array("named", "[3,4,5]", "{\"_ARRAY_DIMENSIONS\":[\"T\",\"Y\",\"X\"]}");
		assertEquals(List.of(bare("t"), bare("y"), bare("x")), axes("named"));
	}

	/** Names count if there is one for each dimension; a dimension can have none. */
	@Test
	void someNamesOfDimensions() throws IOException {
		array("some", "[3,4,5]", "{\"_ARRAY_DIMENSIONS\":[null,\"Y\",\"X\"]}");
		assertEquals(List.of(bare(""), bare("y"), bare("x")), axes("some"));
		for (final String names : new String[] { "\"q\",\"r\"", "\"q\",\"r\",\"s\",\"t\"" }) {
			array("other", "[3,4,5]", "{\"_ARRAY_DIMENSIONS\":[" + names + "]}");
			assertEquals(List.of(bare("z"), bare("y"), bare("x")), axes("other"));
		}
	}

	@Test
	void metadataOfOtherDimensionsAreRefused() throws IOException {
		array("0", "[4,5]", null);
		group("{\"multiscales\":[{\"axes\":[\"z\",\"y\",\"x\"],\"datasets\":[{\"path\":\"0\"}]}]}");
		assertEquals("its OME metadata name 3 axes, and its array has 2 dimensions", assertThrows(IOException.class, () -> axes(""))
			.getMessage());
		for (final String numbers : new String[] { "[1]", "[1,2,3]" }) {
			group("{\"multiscales\":[{\"axes\":[\"y\",\"x\"],\"datasets\":[{\"path\":\"0\",\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":"
				+ numbers + "}]}]}]}");
			assertEquals("its OME metadata are damaged: 'scale' has " + (numbers.length() / 2) + " numbers, and its array 2 dimensions",
				assertThrows(IOException.class, () -> axes("")).getMessage());
		}
	}

	/** The first one in the order of the alphabet. */
	@Test
	void anArrayOfAGroupIsNamed() throws IOException {
		for (final String name : new String[] { "e", "b", "d", "a", "c" }) array(name, "[3,4]", null);
		group("{}");
		final String message = assertThrows(IOException.class, () -> axes("")).getMessage();
		assertTrue(message.endsWith(": give an array in it, as " + folder.getFileName() + "/a"), message);
	}

	/** OME-XML that other programs end with zeros, and damaged XML, whose reason is not printed besides. */
	@Test
	void xml() throws IOException {
		assertNull(OmeXml.root(null));
		assertNull(OmeXml.root("ImageJ=1.54p"));
		assertEquals(2, OmeXml.all(OmeXml.root("<?xml version=\"1.0\"?><OME><Image/><Image/></OME>\0\0"), "Image").size());
		final PrintStream err = System.err;
		final ByteArrayOutputStream printed = new ByteArrayOutputStream();
		System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
		try {
			for (final String wrong : new String[] { "<OME><Image></OME>", "<OME>" })
				assertTrue(assertThrows(InputDataException.class, () -> OmeXml.root(wrong)).getMessage()
					.startsWith("its OME-XML is damaged ("));
		}
		finally {
			System.setErr(err);
		}
		assertEquals("", printed.toString(StandardCharsets.UTF_8));
	}

	@Test
	void whatIsNoImage() throws IOException {
		assertFalse(OmeZarr.is(folder));
		assertFalse(OmeZarr.is(folder.resolve("none")));
		array("inner", "[3,4]", null);
		group("{}");
		assertTrue(OmeZarr.is(folder));
		final String message = assertThrows(IOException.class, () -> axes("")).getMessage();
		assertTrue(message.contains("group without an image") && message.endsWith("/inner"), message);
		group("{\"multiscales\":[{\"datasets\":\"0\"}]}");
		assertTrue(assertThrows(IOException.class, () -> axes("")).getMessage().contains("damaged"));
		group("{\"multiscales\":[{\"datasets\":[{\"path\":\"gone\"}]}]}");
		assertThrows(IOException.class, () -> axes(""));
	}
}
