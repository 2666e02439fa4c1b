package sc.fiji.ncc.cli.map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.MapShape;

/** Maps that are written part by part. */
class MapsOnDiskTest {

	@TempDir
	Path folder;

	private static boolean locked(final Path file) throws IOException {
		final String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
		return Files.readAllLines(Path.of("/proc/locks")).stream().anyMatch(l -> l.contains("POSIX") && l.contains(inode));
	}

	/** Without its lock, another process would take the temporary file for that of a killed one and delete it. */
	@Test
	@EnabledOnOs(OS.LINUX)
	void aMapStaysLockedUntilItHasItsName() throws IOException {
		final Img<FloatType> map = ArrayImgs.floats(new float[] { 1, 2, 3, 4, 5, 6 }, 3, 2);
		final Path file = folder.resolve("map.tif");
		try (Outputs outputs = new Outputs()) {
			final Path place = outputs.promise(file.toString(), List.of());
			assumeTrue(locked(outputs.temporary(place)), "a file system with locks");
			final InputImage image = new InputImage("image", map, "xy", Calibration.NONE);
			try (MapsOnDisk maps = MapsOnDisk.files(outputs, List.of(place), List.of(new MapShape(new long[] { 3, 2 }, new long[2])), PixelType.F32, true,
				image)) {
				MapsOnDisk.copy(map, maps.stores().get(0), new long[0]);
				maps.finish();
			}
			assertTrue(locked(outputs.temporary(place)));
			outputs.commit();
		}
		final float[] read = new float[6];
		int i = 0;
		for (final Object p : Views.flatIterable(ImageFiles.read(file.toString()).pixels())) read[i++] = ((FloatType) p).get();
		assertArrayEquals(new float[] { 1, 2, 3, 4, 5, 6 }, read);
	}
}
