package sc.fiji.ncc.command;

import java.util.Map;

import net.imglib2.img.Img;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.register.DriftSample;

/** Opens the sample stack for drift correction: spots with a known drift. */
@Plugin(type = Command.class, menuPath = "File>Open Samples>NCC Drift", visible = false, headless = true)
public final class DriftSampleCommand extends NccCommand {

	@Parameter(label = "Stack", type = ItemIO.OUTPUT)
	private Img<?> output;

	@Override
	protected String section() {
		return "registration.md#in-fiji";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		final Img<?> stack = DriftSample.stack();
		output = MovedImage.open(this, stack, "drift.tif", program.image(stack, "xyt", Calibration.NONE), null, new long[stack.numDimensions()], Map.of());
	}
}
