package sc.fiji.ncc.command;

import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.command.program.Groups;

/**
 * Measures and corrects the drift of a stack, with all channels. In macros:
 * {@code run("Correct Drift...", "image=[a.tif] reference=multi maxshift=40,40 transforms=/data/drift.json");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Correct Drift...", visible = false, headless = true)
public final class CorrectDriftCommand extends StackCorrectionCommand {

	@Parameter(label = "Projections (volumes)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = "On: volumes are measured by their mean along z and along y. Faster, and less exact. Default: off.")
	private boolean projections = false;

	@Parameter(label = "Move doubtful frames", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = "On: doubtful frames are moved by their measured shifts. Off: they get the shift of their neighbours. Default: off.")
	private boolean movedoubtful = false;

	@Parameter(label = "Smoothing in time (frames; 0: off)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0",
		description = "Standard deviation, in frames, of the Gaussian that smooths the shifts in time. Default: 0, off.")
	private double smoothing = 0;

	@Override
	String name() {
		return "Correct Drift";
	}

	@Override
	boolean deforms() {
		return false;
	}

	@Override
	void set(final DriftCorrection correction, final int dimensions) {
		correction.projections(projections).moveDoubtful(movedoubtful).smoothing(smoothing);
	}

	@Override
	protected String section() {
		return "registration.md#in-fiji";
	}
}
