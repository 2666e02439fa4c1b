package sc.fiji.ncc.command.live;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.match.KeptMaxima;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.LiveView;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.support.Parallel;

/**
 * Matches that follow the parameters while a dialog is open. The maps are computed once, and again if a parameter changes that they depend on. A thread of its own
 * computes. It takes the latest parameters and leaves out those in between. Several threads can use one object at the same time.
 */
public final class MatchPreview {

	/** The local maxima are kept down to the score at which white noise gives this many of them. */
	public static final double ALARMS = 1000;

	/**
	 * A search.
	 *
	 * @param image the searched image
	 * @param pixels its pixels, with the templates' dimensions first
	 * @param matching the operation with all parameters set
	 * @param boxes the matches as boxes
	 * @param text the matches as a line of text
	 */
	public record Search(ImageInput image, RandomAccessibleInterval<?> pixels, TemplateMatching matching,
		Function<TemplateMatching.Result, List<Box>> boxes, Function<TemplateMatching.Result, String> text) {}

	/** The parameters and windows of a command. */
	public interface Host {

		/** The search that the current parameters describe. @throws IllegalArgumentException if a parameter is not valid */
		Search search(Monitor monitor);

		/** Runs work that shows its progress and that the user or the condition can cancel. */
		void compute(BooleanSupplier canceled, Consumer<Monitor> work);

		LiveView view(ImageInput image);

		/** Shows a line of text. */
		void say(String text);
	}

	private final Host host;
	private Thread thread;
	/** What the maps depend on, and whether the preview is on, as of the last request. */
	private Object wanted;
	private boolean on, requested, ended;
	/** Why the parameters of the last request are not valid; null if they are. */
	private String reason;
	/** The maxima and what they were computed from. Used by the thread, and by others after its end. */
	private KeptMaxima kept;
	private Object keptKey;
	private ScoreGraphs.Histogram histogram;
	private ImageInput viewed;
	private LiveView view;

	public MatchPreview(final Host host) {
		this.host = host;
	}

	/**
	 * Follows the current parameters. Returns at once.
	 *
	 * @param key the values of the parameters on which the maps depend
	 * @param visible whether matches are shown; otherwise the image is restored
	 */
	public synchronized void follow(final Object key, final boolean visible) {
		if (ended || thread == null && !visible) return;
		wanted = key;
		on = visible;
		reason = null;
		requested = true;
		if (thread == null) {
			thread = new Thread(this::work, "ncc-preview");
			thread.setDaemon(true);
			thread.start();
		}
		notifyAll();
	}

	/** Shows why the current parameters are not valid, after what earlier parameters show. The boxes stay. */
	public synchronized void reject(final String why) {
		if (thread == null) host.say(why);
		reason = why;
		requested = true;
		notifyAll();
	}

	/**
	 * Ends the preview: stops the computation and restores the image. Returns when this is done.
	 *
	 * @param key the values of the parameters on which the maps depend
	 * @return the local maxima of the maps; null if there are none for these parameters
	 */
	public KeptMaxima end(final Object key) {
		final Thread working;
		synchronized (this) {
			ended = true;
			working = thread;
			notifyAll();
		}
		if (working != null) Parallel.await(working::join);
		return Objects.equals(key, keptKey) ? kept : null;
	}

	private void work() {
		while (true) {
			final Object key;
			final boolean visible;
			final String invalid;
			synchronized (this) {
				while (!requested && !ended) {
					try {
						wait();
					}
					catch (final InterruptedException e) {
						ended = true;
					}
				}
				if (ended) break;
				requested = false;
				key = wanted;
				visible = on;
				invalid = reason;
			}
			try {
				if (invalid != null) host.say(invalid);
				else if (visible) show(key);
				else clear();
			}
			catch (final CancellationException e) {
				host.say("");
			}
			catch (final RuntimeException | Error e) {
				// the dialog stays open: the user can correct the parameter
				host.say(e.getMessage() == null ? e.toString() : e.getMessage().replace('\n', ' '));
			}
		}
		clear();
	}

	/** Whether the work for a request is not needed any more. */
	private synchronized boolean isOutdated(final Object key) {
		return ended || !on || !Objects.equals(key, wanted);
	}

	private void show(final Object key) {
		Search search = host.search(canceledIf(key));
		if (!Objects.equals(key, keptKey) || !search.matching.canFind(kept)) {
			kept = null;
			keptKey = null;
			host.compute(() -> isOutdated(key), monitor -> {
				final Search monitored = host.search(monitor);
				kept = monitored.matching.keep(monitored.pixels, ALARMS);
				histogram = ScoreGraphs.histogram(kept);
			});
			keptKey = key;
			search = host.search(canceledIf(key));
		}
		final TemplateMatching.Result found = search.matching.findUnrefined(kept);
		if (!search.image.equals(viewed)) {
			clear();
			view = host.view(search.image);
			viewed = search.image;
		}
		final String text = search.text.apply(found);
		view.show(search.boxes.apply(found), ScoreGraphs.scores(search.image.name(), text, histogram, search.matching.minScores(kept)));
		host.say(text);
	}

	private Monitor canceledIf(final Object key) {
		return Monitor.canceledIf(() -> isOutdated(key));
	}

	private void clear() {
		if (view != null) view.clear();
		view = null;
		viewed = null;
	}
}
