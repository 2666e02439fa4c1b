package sc.fiji.ncc.command.imagej;

import org.scijava.app.StatusService;
import org.scijava.app.event.StatusEvent;
import org.scijava.event.EventHandler;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.service.AbstractService;
import org.scijava.service.SciJavaService;
import org.scijava.service.Service;

/** Has the last word in the status bar: SciJava writes "Command finished" over what a command said about its method and its time. */
@Plugin(type = Service.class)
public final class FinalStatus extends AbstractService implements SciJavaService {

	private static final String FINISHED = "Command finished: ";

	@Parameter
	private StatusService status;

	private String awaited = "";
	private String words = "";

	/**
	 * Says something as soon as SciJava has said that a command is finished.
	 *
	 * @param title of the command
	 * @param summary empty to say nothing
	 */
	synchronized void after(final String title, final String summary) {
		awaited = summary.isEmpty() ? "" : FINISHED + title;
		words = summary;
	}

	@EventHandler
	private void onEvent(final StatusEvent event) {
		final String due = due(event.getStatusMessage());
		if (!due.isEmpty()) status.showStatus(due);
	}

	private synchronized String due(final String message) {
		if (awaited.isEmpty() || !awaited.equals(message)) return "";
		awaited = "";
		return words;
	}
}
