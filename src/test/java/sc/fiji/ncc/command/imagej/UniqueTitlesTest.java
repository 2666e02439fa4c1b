package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import ij.ImagePlus;
import ij.WindowManager;
import ij.macro.Interpreter;
import ij.process.ByteProcessor;

import sc.fiji.ncc.command.InSciJava;
import sc.fiji.ncc.command.RegisterImagesCommand;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.result.Alignment;

/** Titles of new images, and images that share a title. */
class UniqueTitlesTest extends InSciJava {

	@BeforeEach
	void withoutWindows() {
		Interpreter.batchMode = true;
	}

	@AfterEach
	void withWindows() {
		for (final int id : WindowManager.getIDList()) Interpreter.removeBatchModeImage(WindowManager.getImage(id));
		Interpreter.batchMode = false;
	}

	private static ImagePlus open(final String title) {
		final ImagePlus image = new ImagePlus(title, new ByteProcessor(30, 20));
		Interpreter.addBatchModeImage(image);
		return image;
	}

	@Test
	void aNumberFollowsATitleThatIsInUse() {
		assertEquals("NCC of a.tif", ImageJ1.unique("NCC of a.tif"));
		open("NCC of a.tif");
		assertEquals("NCC of a-1.tif", ImageJ1.unique("NCC of a.tif"));
		open("NCC of a-1.tif");
		assertEquals("NCC of a-2.tif", ImageJ1.unique("NCC of a.tif"));
		open("Drift of s");
		assertEquals("Drift of s-1", ImageJ1.unique("Drift of s"));
	}

	/** The images are told apart by themselves, not by their title. */
	@Test
	void imagesOfOneTitleAreTwo() {
		final List<ImageInput> images = List.of(new ImageJImage(open("twin")), new ImageJImage(open("twin")));
		assertEquals(images, ImageJ1.images());
		assertEquals(2, ImageJ1.images().stream().map(String::valueOf).distinct().count(), "a list shows both");
	}

	@Test
	void twinsAreRegistered() throws Exception {
		final Img<UnsignedByteType> noise = noise(60, 50);
		final ImagePlus fixed = open("twin"), moving = open("twin");
		for (final ImagePlus image : List.of(fixed, moving)) {
			final byte[] pixels = new byte[60 * 50];
			for (int i = 0; i < pixels.length; i++) pixels[i] = (byte) noise.getAt(i % 60, i / 60).get();
			image.setProcessor(new ByteProcessor(60, 50, pixels));
		}
		assertEquals(0, ((Alignment) commands.run(RegisterImagesCommand.class, true, "fixed", fixed, "moving", moving).get().getOutput("alignment"))
			.shift()[0], 1e-3);
	}
}
