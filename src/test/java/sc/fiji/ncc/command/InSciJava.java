package sc.fiji.ncc.command;

import java.nio.file.Path;
import java.util.Random;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.DoubleType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.scijava.Context;
import org.scijava.command.Command;
import org.scijava.command.CommandModule;
import org.scijava.command.CommandService;

/** Tests that run in a SciJava application without windows and without ImageJ2. */
abstract class InSciJava {

	@TempDir
	static Path preferences;

	static Context context;
	static CommandService commands;

	@BeforeAll
	static void start() {
		// what SciJava keeps of a run shall not reach the user's own preferences
		System.setProperty("java.util.prefs.userRoot", preferences.toString());
		System.setProperty("java.awt.headless", "true");
		context = new Context();
		commands = context.service(CommandService.class);
	}

	@AfterAll
	static void stop() {
		context.dispose();
	}

	static CommandModule run(final Class<? extends Command> command, final Object... inputs) throws Exception {
		return commands.run(command, true, inputs).get();
	}

	static Img<UnsignedByteType> noise(final int width, final int height) {
		final byte[] pixels = new byte[width * height];
		new Random(3).nextBytes(pixels);
		return ArrayImgs.unsignedBytes(pixels, width, height);
	}

	static Img<DoubleType> cut(final Img<UnsignedByteType> image, final int x, final int y, final int width, final int height) {
		final Img<DoubleType> cut = ArrayImgs.doubles(width, height);
		for (int j = 0; j < height; j++)
			for (int i = 0; i < width; i++) cut.getAt(i, j).set(image.getAt(x + i, y + j).get());
		return cut;
	}
}
