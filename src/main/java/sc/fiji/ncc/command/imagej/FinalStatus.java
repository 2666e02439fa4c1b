package sc.fiji.ncc.command.imagej;

import org.scijava.app.StatusService;
import org.scijava.app.event.StatusEvent;
import org.scijava.event.EventHandler;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.service.AbstractService;
import org.scijava.service.SciJavaService;
import org.scijava.service.Service;

/** Shows the summary of a command in the status bar after SciJava's own message "Command finished". */
@Plugin(type = Service.class)
public final class FinalStatus extends AbstractService implements SciJavaService {

	private static final String FINISHED = "Command finished: ";

	@Parameter
	private StatusService status;

	private String awaited = "";
	private String text = "";

	/**
	 * Shows a summary after SciJava's message for a command.
	 *
	 * @param title title of the command
	 * @param summary text of the status bar; empty for none
	 */
	synchronized void after(final String title, final String summary) {
		awaited = summary.isEmpty() ? "" : FINISHED + title;
		text = summary;
	}

	@EventHandler
	private void onEvent(final StatusEvent event) {
		final String due = due(event.getStatusMessage());
		if (!due.isEmpty()) status.showStatus(due);
	}

	private synchronized String due(final String message) {
		if (awaited.isEmpty() || !awaited.equals(message)) return "";
		awaited = "";
		return text;
	}
}
