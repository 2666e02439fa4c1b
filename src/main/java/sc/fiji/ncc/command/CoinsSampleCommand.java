package sc.fiji.ncc.command;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;

import javax.imageio.ImageIO;

import org.scijava.command.Command;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.plan.Monitor;

/** Opens the sample image of the plugin: 24 coins. */
@Plugin(type = Command.class, menuPath = "File>Open Samples>NCC Coins", visible = false, headless = true)
public final class CoinsSampleCommand extends NccCommand {

	private static final String IMAGE = "/sc/fiji/ncc/samples/coins.png";

	@Override
	protected String section() {
		return "user-guide.md#first-steps";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		program.show("coins.png", image());
	}

	/** The sample image. */
	static BufferedImage image() {
		try {
			return read(CoinsSampleCommand.class.getResource(IMAGE));
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	private static BufferedImage read(final URL image) throws IOException {
		if (image == null) throw new IOException("The plugin's jar file lacks " + IMAGE + ". Install the plugin again.");
		return ImageIO.read(image);
	}
}
