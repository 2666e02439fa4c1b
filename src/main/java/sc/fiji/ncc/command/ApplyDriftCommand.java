package sc.fiji.ncc.command;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

import net.imglib2.img.Img;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.FileWidget;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.register.StackLayout;
import sc.fiji.ncc.register.correct.CorrectedStack;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.store.DriftFile;

/**
 * Corrects a stack by shifts and deformations that Correct Drift or Correct Motion has saved. In macros: {@code run("Apply Drift...", "image=[b.tif]
 * transforms=/data/drift.json");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Apply Drift...", visible = false, headless = true)
public final class ApplyDriftCommand extends ComputingCommand {

	@Parameter(label = "Image", persist = false, description = "A stack with as many frames, of the same width and height, as the stack that was measured; not RGB.")
	private ImageInput image;

	@Parameter(label = "Transforms file", persist = false, style = FileWidget.OPEN_STYLE, attrs = @Attr(name = Keys.ONCE),
		description = "The JSON file that Correct Drift, Correct Motion, or ncc align --transforms, has written. Required.")
	private String transforms = "";

	@Parameter(label = "Interpolation", persist = false, choices = { "integer", "linear", "cubic", "lanczos", "fourier" },
		description = SettingWords.INTERPOLATION)
	private String interpolation = "cubic";

	@Parameter(label = "Border", persist = false, choices = { "edge", "constant", "nan", "crop", "union" }, description = MovedImage.BORDER)
	private String border = "constant";

	@Parameter(label = "Value outside", persist = false, description = MovedImage.VALUE)
	private double constant = 0;

	@Parameter(label = "Corrected", type = ItemIO.OUTPUT)
	private Img<?> output;

	@Override
	public Optional<String> missing(final FrontEnd program) {
		return image == null && program.activeImage().isEmpty() ? Optional.of(NO_IMAGE) : Optional.empty();
	}

	@Override
	protected String section() {
		return "registration.md#in-fiji";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		requireChannels("image", image);
		if (transforms.isBlank()) throw new IllegalArgumentException("The transforms file is missing. Give the JSON file that Correct Drift has written, as in transforms=/data/drift.json.");
		final Drift drift = DriftFile.read(path());
		final Interpolation between = MovedImage.interpolation(interpolation);
		final Outside beyond = MovedImage.outside(border, constant);
		final StackLayout layout = StackLayout.of(image.pixels(), image.axes(), drift.dimensions(), "'" + image.name() + "'");
		CorrectedStack.requireVisible(drift, beyond);
		CorrectedStack.requireInterpolation(drift.deformation() != null, between);
		final Img<?> corrected = DriftCorrection.ofFrames(drift.dimensions()).compute(computing(SINGLE, AUTO))
			.corrected(layout.stack(), layout.time(), drift, between, beyond);
		final long[] origin = Arrays.copyOf(CorrectedStack.region(drift, between, beyond).min(), corrected.numDimensions());
		output = MovedImage.open(this, layout.back(corrected), MovedImage.CORRECTED + image.name(), image, image, layout.back(origin),
			Map.of("NCC.reference", drift.reference(), "NCC.interpolation", interpolation));
		done(drift.frames().size() + " frames are corrected");
	}

	private Path path() {
		try {
			return Path.of(transforms.trim()).toAbsolutePath();
		}
		catch (final InvalidPathException e) {
			throw new IllegalArgumentException("transforms=" + transforms + " is not a file name: " + e.getReason() + ".", e);
		}
	}
}
