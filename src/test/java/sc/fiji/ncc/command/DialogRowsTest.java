package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.scijava.command.CommandInfo;
import org.scijava.module.ModuleItem;

import sc.fiji.ncc.command.program.Keys;

/** Dialogs fit a screen of 768 pixels in height, and begin with what most users set. */
class DialogRowsTest extends InSciJava {

	/** A row of plain ImageJ is 23 to 28 pixels high; buttons and borders take 80 pixels. */
	private static final int ROWS = 24;

	@Test
	void dialogsFitASmallScreen() {
		for (final Class<? extends NccCommand> command : List.of(NormalizedCrossCorrelationCommand.class, FindMatchesCommand.class, FindRotatedMatchesCommand.class,
			TrackTemplatesCommand.class, CorrectDriftCommand.class, RegisterImagesCommand.class, ApplyDriftCommand.class, ConvolveImageCommand.class, ReportPlanCommand.class))
			assertTrue(rows(command).size() <= ROWS, command.getSimpleName() + " has " + rows(command).size() + " rows: " + rows(command));
	}

	@Test
	void rareParametersAreAdvanced() {
		assertEquals(List.of("image", "template", "channels", "templates", "minscore", "falsealarms"), rows(FindMatchesCommand.class).subList(0, 6));
		assertEquals(List.of("image", "template", "channels", "templates", "rotate", "scale"), rows(FindRotatedMatchesCommand.class).subList(0, 6));
		assertEquals(List.of("image", "templates", "regions", "reference"), rows(TrackTemplatesCommand.class).subList(0, 4));
	}

	/** Dialogs offer nothing that the command refuses. */
	@Test
	void refusedParametersAreNotOffered() {
		assertEquals(List.of("method", "backend", "effort", "threads", "memory"), advanced(FindRotatedMatchesCommand.class));
		assertTrue(advanced(FindMatchesCommand.class).containsAll(List.of("weights", "imagemask", "nan", "overlapmin")));
	}

	private List<String> advanced(final Class<? extends NccCommand> command) {
		final CommandInfo info = commands.getCommand(command);
		final List<String> rows = new ArrayList<>();
		for (final ModuleItem<?> input : info.inputs()) if (Keys.isExpert(input) && !Keys.isRefused(info, input)) rows.add(input.getName());
		return rows;
	}

	private List<String> rows(final Class<? extends NccCommand> command) {
		final CommandInfo info = commands.getCommand(command);
		final List<String> rows = new ArrayList<>();
		for (final ModuleItem<?> input : info.inputs()) if (Keys.isPreview(input) || Keys.isChosen(input) && !Keys.isExpert(input)) rows.add(input.getName());
		return rows;
	}
}
