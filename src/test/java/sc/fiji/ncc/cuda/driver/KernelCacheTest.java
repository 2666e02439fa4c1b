package sc.fiji.ncc.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelCacheTest {

	private static final byte[] CODE = { 1, 2, 3, -4, 5 };

	@TempDir
	Path folder;

	private Path only() throws IOException {
		try (var files = Files.list(folder)) {
			final List<Path> all = files.toList();
			assertEquals(1, all.size(), "files " + all);
			return all.get(0);
		}
	}

	@Test
	void whatIsPutIsThereForTheNextProcess() throws IOException {
		new KernelCache(folder).put("a", CODE);
		assertArrayEquals(CODE, new KernelCache(folder).get("a").orElseThrow());
		assertTrue(new KernelCache(folder).get("b").isEmpty());
		only();
	}

	@Test
	void aTornOrChangedFileIsAMiss() throws IOException {
		final KernelCache cache = new KernelCache(folder);
		cache.put("a", CODE);
		final byte[] whole = Files.readAllBytes(only());
		for (int length = 0; length < whole.length; length++) {
			Files.write(only(), Arrays.copyOf(whole, length));
			assertTrue(cache.get("a").isEmpty(), length + " bytes of " + whole.length);
		}
		for (int i = 0; i < whole.length; i++) {
			final byte[] changed = whole.clone();
			changed[i] ^= 1;
			Files.write(only(), changed);
			assertTrue(cache.get("a").isEmpty(), "byte " + i);
		}
		cache.put("a", CODE);
		assertArrayEquals(CODE, cache.get("a").orElseThrow());
	}

	@Test
	void aFolderThatCannotBeWrittenIsNoError() throws IOException {
		final Path file = Files.createFile(folder.resolve("file"));
		final KernelCache cache = new KernelCache(file.resolve("below"));
		cache.put("a", CODE);
		assertTrue(cache.get("a").isEmpty());
	}

	@Test
	void theFolderIsPrivate() throws IOException {
		Assumptions.assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"), "no POSIX permissions here");
		final Path made = folder.resolve("new/kernels");
		new KernelCache(made).put("a", CODE);
		assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
	}

	@Test
	void theKeyTellsApartAllThatCodeDependsOn() {
		final String key = KernelCache.key(90, "13.0", List.of("-DA=1", "-DB"), "source");
		assertEquals(key, KernelCache.key(90, "13.0", List.of("-DA=1", "-DB"), "source"));
		assertNotEquals(key, KernelCache.key(80, "13.0", List.of("-DA=1", "-DB"), "source"));
		assertNotEquals(key, KernelCache.key(90, "12.9", List.of("-DA=1", "-DB"), "source"));
		assertNotEquals(key, KernelCache.key(90, "13.0", List.of("-DA=1-DB"), "source"));
		assertNotEquals(key, KernelCache.key(90, "13.0", List.of("-DA=1", "-DB"), "other"));
		assertFalse(key.contains("/"));
	}
}
