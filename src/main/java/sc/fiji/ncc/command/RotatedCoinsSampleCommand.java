package sc.fiji.ncc.command;

import org.scijava.command.Command;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.drawing.RotatedCoins;
import sc.fiji.ncc.plan.Monitor;

/** Opens the sample image for rotated templates: coins in known poses. */
@Plugin(type = Command.class, menuPath = "File>Open Samples>NCC Rotated Coins", visible = false, headless = true)
public final class RotatedCoinsSampleCommand extends NccCommand {

	@Override
	protected String section() {
		return "poses.md#in-fiji-and-imagej";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		program.show("rotated-coins.png", RotatedCoins.draw(CoinsSampleCommand.image()));
	}
}
