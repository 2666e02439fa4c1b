package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import javax.imageio.ImageIO;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.drawing.RotatedCoins;

/** {@code ncc sample}: writes a sample image. */
@Command(name = "sample", mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, description = {
	"Writes the sample image of the documentation's examples: 24 ancient coins, 384x303 pixels with 8 bits.",
	"With --rotated: some of these coins in known poses, 480x350 pixels with 8 bits." })
final class SampleSubcommand implements Callable<Integer> {

	/** The file name of the sample image in the documentation. */
	static final String NAME = "coins.png";
	private static final String RESOURCE = "/sc/fiji/ncc/samples/" + NAME;

	private final Terminal program;

	@Parameters(index = "0", paramLabel = "FILE.png", description = "The file, in the examples " + NAME + ". An existing file is replaced.")
	private String output;

	@Option(names = "--rotated", description = "Write the sample image for rotated templates.")
	private boolean rotated;

	SampleSubcommand(final Terminal program) {
		this.program = program;
	}

	/** @throws IOException if the jar has no sample image */
	static InputStream open() throws IOException {
		final InputStream in = SampleSubcommand.class.getResourceAsStream(RESOURCE);
		if (in == null) throw new IOException("the jar has no sample image " + RESOURCE + ": build it again with mvn package");
		return in;
	}

	@Override
	public Integer call() throws IOException {
		if (!output.toLowerCase(Locale.ROOT).endsWith(".png")) throw new IllegalArgumentException("the sample image " + output + " is a PNG file: give a name that ends in .png");
		try (Outputs outputs = new Outputs()) {
			final Path place = outputs.promise(output, List.of());
			try (InputStream in = open(); OutputStream to = outputs.open(place)) {
				if (rotated) ImageIO.write(RotatedCoins.draw(ImageIO.read(in)), "png", to);
				else in.transferTo(to);
			}
			outputs.commit();
		}
		program.out().println("sample image: " + output);
		return 0;
	}
}
