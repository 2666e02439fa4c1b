package sc.fiji.ncc.ij1;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

import javax.imageio.ImageIO;

import sc.fiji.ncc.document.DocumentFigure;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;

/** Takes the pictures of windows for the documents, with the sessions of the tests in plain ImageJ, and pictures that the program writes. Needs a display. */
public final class DocumentWindows {

	private DocumentWindows() {}

	/** @param only names of pictures; all if it is empty */
	public static void take(final List<String> only) throws Exception {
		final String display = System.getenv("DISPLAY");
		if (display == null || display.isEmpty()) throw new IllegalStateException("there is no display for ImageJ's windows: start this with xvfb-run "
			+ "and a window manager");
		final Path folder = Files.createTempDirectory("windows").toAbsolutePath();
		for (final Class<?> session : List.of(WindowedSession.class, PreviewSession.class, MotionSession.class)) {
			final ImageJProcess.Outcome outcome = new ImageJProcess(Files.createDirectories(folder.resolve(session.getSimpleName())))
				.runWithWindows(session, folder.toString());
			if (!outcome.printed().contains("end: ")) throw new IllegalStateException(session.getSimpleName() + " did not come to its end:\n" + outcome.printed());
		}
		for (final DocumentFigure figure : DocumentFigure.ALL) {
			if (figure.kind() != DocumentFigure.Kind.WINDOW || !only.isEmpty() && !only.contains(figure.name())) continue;
			final String name = figure.name().replaceFirst("^dialog-", "");
			final Path picture = folder.resolve(name + ".png");
			Screen.crop(picture, figure.file());
			final DocumentTable texts = new DocumentTable(Origin.here("", "xvfb-run … Documents --windows"), "kind", "text");
			for (final String line : Files.readAllLines(folder.resolve(name + ".txt"))) texts.row((Object[]) line.split("\t", 2));
			texts.write(DocumentTable.FOLDER, figure.tables().get(0));
			System.out.println("wrote " + figure.file());
		}
		result("coins", only, folder, "target/demo/result.png");
		result("planner-map", only, folder, "map.png", "plan", "--map", "map.png", "--threads", "2");
		noise(folder);
		result("false-alarms", only, folder, "alarms.png", "match", "noise.png", "texture.png", "--min-score", "auto", "--plot-alarms",
			"alarms.png", "-o", "matches.csv");
	}

	/** A picture that the command line writes. The texts are what it prints. */
	private static void result(final String name, final List<String> only, final Path folder, final String picture, final String... arguments)
		throws IOException, InterruptedException {
		if (!only.isEmpty() && !only.contains(name)) return;
		final List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
			"-Djava.awt.headless=true", "-Dncc.wisdom=" + folder.resolve("wisdom.txt"),
			"-cp", absolute(System.getProperty("java.class.path")), "sc.fiji.ncc.cli.Main"));
		command.addAll(List.of(arguments));
		final Path printed = folder.resolve(name + ".printed");
		final ProcessBuilder process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(printed.toFile());
		process.environment().put("NCC_CUDA", "off");
		if (process.start().waitFor() != 0) throw new IllegalStateException(String.join(" ", command) + ":\n" + Files.readString(printed));
		Files.copy(folder.resolve(picture), Path.of("src", "doc", name + ".png"), StandardCopyOption.REPLACE_EXISTING);
		final DocumentTable texts = new DocumentTable(Origin.here("", ("ncc " + String.join(" ", arguments)).strip()), "kind", "text");
		for (final String line : Files.readAllLines(printed)) if (!line.isBlank()) texts.row("printed", line.strip().replace(folder.toString(), "FOLDER"));
		texts.write(DocumentTable.FOLDER, "picture-" + name);
		System.out.println("wrote src/doc/" + name + ".png");
	}

	private static String absolute(final String path) {
		return Arrays.stream(path.split(File.pathSeparator)).map(p -> Path.of(p).toAbsolutePath().toString()).collect(Collectors.joining(File.pathSeparator));
	}

	/** Noise of 8 bit that holds a texture nine times, and the texture. */
	private static void noise(final Path folder) throws IOException {
		final int side = 600, part = 24;
		final Random random = new Random(1);
		final BufferedImage noise = new BufferedImage(side, side, BufferedImage.TYPE_BYTE_GRAY),
			texture = new BufferedImage(part, part, BufferedImage.TYPE_BYTE_GRAY);
		for (final BufferedImage image : List.of(noise, texture)) {
			final double sigma = image == noise ? 10 : 20;
			for (int y = 0; y < image.getHeight(); y++)
				for (int x = 0; x < image.getWidth(); x++) image.getRaster().setSample(x, y, 0, grey(100 + sigma * random.nextGaussian()));
		}
		for (int i = 0; i < 9; i++)
			for (int y = 0; y < part; y++)
				for (int x = 0; x < part; x++)
					noise.getRaster().setSample(80 + 200 * (i % 3) + x, 80 + 200 * (i / 3) + y, 0, grey(texture.getRaster().getSample(x, y, 0) + 15 * random.nextGaussian()));
		ImageIO.write(noise, "png", folder.resolve("noise.png").toFile());
		ImageIO.write(texture, "png", folder.resolve("texture.png").toFile());
	}

	private static int grey(final double value) {
		return (int) Math.max(0, Math.min(255, Math.round(value)));
	}
}
