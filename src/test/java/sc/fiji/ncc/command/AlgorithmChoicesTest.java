package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.WindowPairs;

/** The dialogs list all algorithms. */
class AlgorithmChoicesTest extends InSciJava {

	@Test
	void dialogsOfferAllAlgorithmsOfTheirOperation() {
		for (final Class<? extends NccCommand> command : List.of(NormalizedCrossCorrelationCommand.class, FindMatchesCommand.class, TrackTemplatesCommand.class))
			assertEquals(ids(Correlation.class), commands.getCommand(command).getInput("algorithm").getChoices(), command.getSimpleName());
		final List<String> all = new ArrayList<>(List.of(ComputingCommand.AUTO)), convolution = ids(Convolution.class);
		for (final Class<? extends Problem> kind : List.of(Correlation.class, Convolution.class, BoundedBank.class, FramePairs.class,
			Resampling.class, WindowPairs.class, Deformations.class))
			all.addAll(ids(kind).subList(1, ids(kind).size()));
		assertEquals(all, commands.getCommand(ReportPlanCommand.class).getInput("algorithm").getChoices());
		assertEquals(ids(WindowPairs.class), commands.getCommand(MotionFieldCommand.class).getInput("algorithm").getChoices());
		final List<String> frames = ids(FramePairs.class);
		for (final Class<? extends NccCommand> command : List.of(CorrectDriftCommand.class, CorrectMotionCommand.class))
			assertEquals(frames, commands.getCommand(command).getInput("algorithm").getChoices());
		// two images have at least two peaks
		frames.remove("cpu-frames-binned");
		assertEquals(frames, commands.getCommand(RegisterImagesCommand.class).getInput("algorithm").getChoices());
		assertEquals(frames, commands.getCommand(StitchTilesCommand.class).getInput("algorithm").getChoices());
		assertEquals(convolution, commands.getCommand(ConvolveImageCommand.class).getInput("algorithm").getChoices());
	}

	private static List<String> ids(final Class<? extends Problem> kind) {
		final List<String> ids = new ArrayList<>(List.of(ComputingCommand.AUTO));
		for (final Backend backend : Backends.all(1)) backend.algorithms().stream().filter(a -> a.kind() == kind).forEach(a -> ids.add(a.id()));
		return ids;
	}
}
