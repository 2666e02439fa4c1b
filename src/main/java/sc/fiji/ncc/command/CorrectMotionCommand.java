package sc.fiji.ncc.command;

import org.scijava.command.Command;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.front.SettingWords;
import sc.fiji.ncc.front.WholeNumbers;

/**
 * Measures and corrects the shifts and the deformations of the frames of a stack, with all channels. In macros:
 * {@code run("Correct Motion...", "image=[a.tif] piecewise=64 reference=mean transforms=/data/motion.json");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Correct Motion...", visible = false, headless = true)
public final class CorrectMotionCommand extends StackCorrectionCommand {

	@Parameter(label = "Window (pixels: w,h)", persist = false, description = SettingWords.PIECEWISE + " One number counts for each dimension. Default: 64.")
	private String piecewise = "64";

	@Override
	String name() {
		return "Correct Motion";
	}

	@Override
	boolean deforms() {
		return true;
	}

	@Override
	void set(final DriftCorrection correction, final int dimensions) {
		correction.piecewise(WholeNumbers.lengths("piecewise=", piecewise, dimensions, DriftCorrection.LEAST_WINDOW));
	}

	@Override
	protected String section() {
		return "motion.md#piecewise-registration";
	}
}
