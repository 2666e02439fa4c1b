package sc.fiji.ncc.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.fixture.Problems;

/** What is missing is said in words, and nothing is thrown. */
class DriverTest {

	@TempDir
	Path folder;

	private static void assertNone(final String reason, final Driver.Devices devices) {
		assertTrue(devices.list().isEmpty());
		assertTrue(devices.unavailable().contains(reason), devices.unavailable());
	}

	@Test
	void whereItCannotBe() {
		assertNone("NCC_CUDA=off", Driver.find("off", "Linux", "amd64"));
		assertNone("Mac OS X", Driver.find(null, "Mac OS X", "aarch64"));
		assertNone("aarch64", Driver.find(null, "Linux", "aarch64"));
	}

	@Test
	void theBackendHasDevicesOrSaysWhyNot() {
		final CudaBackend backend = new CudaBackend();
		assertEquals(backend.unavailable().isPresent(), backend.devices().isEmpty());
		backend.unavailable().ifPresent(reason -> assertTrue(!reason.isBlank()));
		assertTrue(!Problems.sliding(backend).isEmpty(), "algorithms are listed without a GPU, too");
	}

	@Test
	void aLibraryThatIsMissingNamesTheRemedy() {
		final Libraries.Found found = Libraries.find(List.of("libnothing.so.99", folder.resolve("libnothing.so").toString()), "nothing", "nothing is done");
		assertNull(found.library());
		assertTrue(found.reason().contains("nothing is done") && found.reason().contains("CUDA_PATH") && found.reason().contains("cuda-redist"),
			found.reason());
	}

	@Test
	void aTornLibraryIsPassedOver() throws Exception {
		final Path torn = Files.writeString(folder.resolve("libtorn.so"), "no library");
		assertNull(Libraries.find(List.of(torn.toString()), "torn", "nothing is done").library());
	}

	@Test
	void librariesAreLookedForInTheUsualFolders() throws Exception {
		final Path linux = Files.createDirectories(folder.resolve("cuda/lib64")), windows = Files.createDirectories(folder.resolve("cuda/bin"));
		Files.createFile(linux.resolve("libnvrtc.so.12"));
		Files.createFile(windows.resolve("nvrtc64_120_0.dll"));
		final Map<String, String> environment = Map.of("CUDA_PATH", folder.resolve("cuda").toString());
		final List<String> onLinux = Libraries.candidates("nvrtc", List.of("13", "12"), "Linux", environment);
		assertEquals(List.of("libnvrtc.so.13", "libnvrtc.so.12", linux.resolve("libnvrtc.so.12").toString()), onLinux.subList(0, 3));
		assertTrue(Libraries.candidates("nvrtc", List.of("130_0", "120_0"), "Windows 11", environment)
			.contains(windows.resolve("nvrtc64_120_0.dll").toString()));
	}

	@Test
	void transformsHaveSmallPrimes() {
		assertEquals(1, TransformExtents.best(1));
		assertEquals(2048, TransformExtents.best(2000));
		assertEquals(256, TransformExtents.best(256));
		for (int n = 2; n < 3000; n += 7) {
			int m = TransformExtents.best(n);
			assertTrue(m >= n && m <= 2 * n && m % 2 == 0, n + " " + m);
			for (final int p : new int[] { 2, 3, 5, 7 })
				while (m % p == 0) m /= p;
			assertEquals(1, m, "of " + n);
		}
	}
}
