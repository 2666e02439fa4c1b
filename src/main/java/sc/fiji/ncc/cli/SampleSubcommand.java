package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import javax.imageio.ImageIO;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.PlaneFile;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.drawing.RotatedCoins;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.motion.VortexSample;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.register.DriftSample;

/** {@code ncc sample}: writes a sample image. */
@Command(name = "sample", description = {
	"Writes a sample of the documentation's examples.",
	"FILE.png: 24 ancient coins, 384x303 pixels with 8 bits. With --rotated: some of these coins in known poses, 480x350 pixels with 8 bits.",
	"FILE.tif: a stack that drifts, 60 frames of 256x256 pixels with 16 bits. It has noise, bleaches, jumps at frame 26, and frame 41 is blurred.",
	"With --vortex: FILE.tif with two frames of 256x256 pixels with 8 bits, of particles in a vortex with a known motion.",
	"With --tiles: a new folder with 12 tiles of a mosaic, 4 columns and 3 rows of 200x160 pixels with 16 bits that overlap by 30 pixels. One tile is blank.",
	"With --all: a new folder with all files of the examples, 20 MB: images, templates, masks, stacks, a volume, Zarr folders and folders of frames." })
final class SampleSubcommand extends Subcommand {

	/** The file name of the sample image in the documentation. */
	static final String NAME = "coins.png";
	/** The file name of the sample stack in the documentation. */
	static final String STACK = "drift.tif";
	private static final String RESOURCE = "/sc/fiji/ncc/samples/" + NAME;

	@Parameters(index = "0", paramLabel = "FILE.png|FILE.tif|FOLDER",
		description = "The file, in the examples " + NAME + " and " + STACK + ". An existing file is replaced. With --tiles and --all, a new folder.")
	private String output;

	@Option(names = "--rotated", description = "Write the sample image for rotated templates.")
	private boolean rotated;

	@Option(names = "--vortex", description = "Write the sample stack for motion fields: two frames of particles in a vortex.")
	private boolean vortex;

	@Option(names = "--tiles", description = "Write the tiles of the sample mosaic to a new folder.")
	private boolean tiles;

	@Option(names = "--all", description = "Write all files of the examples to a new folder.")
	private boolean all;

	/** @throws IOException if the jar has no sample image */
	static InputStream open() throws IOException {
		final InputStream in = SampleSubcommand.class.getResourceAsStream(RESOURCE);
		if (in == null) throw new IOException("the jar has no sample image " + RESOURCE + ": build it again with mvn package");
		return in;
	}

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		if (all || tiles) writeFolder(outputs);
		else writeFile(outputs);
	}

	private void writeFile(final Outputs outputs) throws IOException {
		final boolean stack = PlaneFile.isTiff(output);
		if (!stack && !output.toLowerCase(Locale.ROOT).endsWith(".png"))
			throw new IllegalArgumentException("the sample is a PNG image or a TIFF stack, not " + output + ": give a name that ends in .png or .tif");
		if (stack && rotated) throw new IllegalArgumentException("--rotated writes a PNG image, not " + output + ": give a name that ends in .png");
		if (!stack && vortex) throw new IllegalArgumentException("--vortex writes a TIFF stack, not " + output + ": give a name that ends in .tif");
		final Path place = outputs.promise(output, List.of());
		if (stack) {
			final InputImage image = new InputImage(output, vortex ? VortexSample.stack() : DriftSample.stack(), "xyt", Calibration.NONE);
			new StackWriter(image, new long[3], 1, Monitor.NONE).file(image.pixels(), outputs, place);
		}
		else try (InputStream in = open(); OutputStream to = outputs.open(place)) {
			if (rotated) ImageIO.write(RotatedCoins.draw(ImageIO.read(in)), "png", to);
			else in.transferTo(to);
		}
		outputs.commit();
		program.out().println((stack ? "sample stack: " : "sample image: ") + output);
	}

	private void writeFolder(final Outputs outputs) throws IOException {
		if (vortex) throw new IllegalArgumentException("--vortex writes a TIFF stack, not a folder: leave out --all and --tiles");
		if (rotated || all && tiles) throw new IllegalArgumentException(all ? "--all also writes what " + (rotated ? "--rotated" : "--tiles")
			+ " writes: leave it out" : "--rotated writes a PNG image, and --tiles a folder: give one of them");
		if (output.isBlank()) throw new IllegalArgumentException("the name of the folder is empty: give the name of a new folder");
		final Path folder = Path.of(output);
		if (Files.exists(folder)) throw new IllegalArgumentException((all ? "--all" : "--tiles") + " writes a new folder, but " + output
			+ " exists: give another name");
		final Path parent = folder.toAbsolutePath().getParent();
		if (parent == null || !Files.isDirectory(parent)) throw new IllegalArgumentException("cannot write " + output + ": there is no folder " + parent);
		Files.createDirectory(folder);
		try (InputStream in = open()) {
			final SampleFiles files = new SampleFiles(folder, outputs);
			if (all) files.write(ImageIO.read(in));
			else files.tiles("");
			outputs.commit();
		}
		program.out().println("sample files: " + output);
	}
}
