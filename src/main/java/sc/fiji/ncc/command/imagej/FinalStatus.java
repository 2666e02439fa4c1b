package sc.fiji.ncc.command.imagej;

import java.util.List;

import org.scijava.app.StatusService;
import org.scijava.app.event.StatusEvent;
import org.scijava.event.EventHandler;
import org.scijava.event.EventService;
import org.scijava.event.EventSubscriber;
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

	@Parameter
	private EventService events;

	/** The event bus has weak references only. */
	private Listener listener;
	private List<EventSubscriber<?>> subscriptions = List.of();

	/**
	 * Shows a summary after SciJava's message for a command.
	 *
	 * @param title title of the command
	 * @param summary text of the status bar; empty for none
	 */
	synchronized void after(final String title, final String summary) {
		events.unsubscribe(subscriptions);
		subscriptions = List.of();
		if (summary.isEmpty()) return;
		listener = new Listener(FINISHED + title, summary);
		// subscribers are called in the order of subscription: the status bar must get SciJava's message before this one
		subscriptions = events.subscribe(listener);
	}

	/** Waits for SciJava's message. */
	private final class Listener {

		private final String awaited;
		private final String summary;
		private boolean shown;

		Listener(final String awaited, final String summary) {
			this.awaited = awaited;
			this.summary = summary;
		}

		@EventHandler
		private synchronized void onEvent(final StatusEvent event) {
			if (shown || !awaited.equals(event.getStatusMessage())) return;
			shown = true;
			status.showStatus(summary);
		}
	}
}
