package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.shift.ShiftAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Operation;

/** The dialogs list all algorithms. */
class AlgorithmChoicesTest extends InSciJava {

	@Test
	void dialogsOfferAllAlgorithmsOfTheirOperation() {
		for (final Class<? extends NccCommand> command : List.of(NormalizedCrossCorrelationCommand.class, FindMatchesCommand.class, TrackTemplatesCommand.class))
			assertEquals(ids(Operation.NCC), commands.getCommand(command).getInput("algorithm").getChoices(), command.getSimpleName());
		final List<String> all = new ArrayList<>(ids(Operation.NCC)), convolution = ids(Operation.CONVOLUTION);
		all.addAll(convolution.subList(1, convolution.size()));
		assertEquals(all, commands.getCommand(ReportPlanCommand.class).getInput("algorithm").getChoices());
		final List<String> frames = new ArrayList<>(List.of(AdvancedParameters.AUTO));
		for (final Backend backend : Backends.all(1)) backend.algorithms().stream().filter(ShiftAlgorithm.class::isInstance).forEach(a -> frames.add(a.id()));
		assertEquals(frames, commands.getCommand(CorrectDriftCommand.class).getInput("algorithm").getChoices());
		// two images have at least two peaks
		frames.remove("cpu-frames-binned");
		assertEquals(frames, commands.getCommand(RegisterImagesCommand.class).getInput("algorithm").getChoices());
		assertEquals(frames, commands.getCommand(StitchTilesCommand.class).getInput("algorithm").getChoices());
		assertEquals(convolution, commands.getCommand(ConvolveImageCommand.class).getInput("algorithm").getChoices());
	}

	private static List<String> ids(final Operation operation) {
		final List<String> ids = new ArrayList<>(List.of(AdvancedParameters.AUTO));
		for (final Backend backend : Backends.all(1)) for (final SlidingAlgorithm a : backend.sliding()) if (a.operation() == operation) ids.add(a.id());
		return ids;
	}
}
