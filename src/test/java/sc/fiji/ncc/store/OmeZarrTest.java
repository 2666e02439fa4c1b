package sc.fiji.ncc.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
