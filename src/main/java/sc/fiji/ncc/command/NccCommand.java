package sc.fiji.ncc.command;

import java.awt.GraphicsEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import org.scijava.app.StatusService;
import org.scijava.command.ContextCommand;
import org.scijava.log.LogService;
import org.scijava.module.ModuleInfo;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.task.TaskService;

import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.command.program.MessageLines;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.NccException;

/**
 * What all commands share: progress, cancel, and errors in words. A mistake of the caller ends the command as canceled, its message the
 * reason; so does a user who stops it, without a reason.
 */
public abstract class NccCommand extends ContextCommand {

	@Parameter
	private LogService log;

	@Parameter
	private StatusService status;

	@Parameter
	private TaskService tasks;

	@Parameter
	private FrontEnd frontEnd;

	/** Titles that a message lists. */
	private static final int LISTED = 10;

	/** Each opens a map. */
	private final List<Runnable> maps = new ArrayList<>();

	/** What became of it; empty to say nothing. */
	private String summary = "";

	/** The parameters that a dialog has shown. */
	private Set<String> asked = Set.of();

	/** The work: reads the parameters, runs an op, sets the outputs. */
	protected abstract void execute(FrontEnd program, Monitor monitor);

	/** The pages for people, and in them what a help button opens, as in {@code user-guide.md#devices}. */
	private static final String PAGES = "https://github.com/fiji/ncc/blob/main/src/doc/";

	/** The section about this command: a page in {@code src/doc} and a heading of it. */
	protected abstract String section();

	/** The page that the help button opens. */
	public final String helpPage() {
		return PAGES + section();
	}

	/**
	 * What is missing before people can be asked: said in place of a dialog in which nothing could be chosen.
	 *
	 * @return in words; empty if a dialog may open
	 */
	public Optional<String> missing(final FrontEnd program) {
		return Optional.empty();
	}

	/** What to say to people without an image. */
	static final String NO_IMAGE = "No image is open. Open an image first, for example File > Open Samples > NCC Coins.";

	/** Called by the button for experts that each command declares in front of their parameters. */
	protected final void advanced() {
		frontEnd.askExpert(this);
	}

	/** Called by the help button that each command declares as its last parameter. */
	protected final void help() {
		frontEnd.browse(helpPage());
	}

	/** @param names of the parameters that a dialog will show */
	public final void askedFor(final Set<String> names) {
		asked = Set.copyOf(names);
	}

	/** Whether a dialog has shown that parameter. */
	public final boolean wasAskedFor(final String name) {
		return asked.contains(name);
	}

	/** The program around the command. */
	protected final FrontEnd program() {
		return frontEnd;
	}

	/** A map as scripts get it; {@link #openMaps} opens it. */
	protected final <T extends NativeType<T> & RealType<T>> Img<T> described(final Img<T> map, final MapDescription description) {
		maps.add(() -> frontEnd.open(map, description));
		return frontEnd.describe(map, description);
	}

	/** Opens the maps that were made, each once. */
	public final void openMaps() {
		maps.forEach(Runnable::run);
		maps.clear();
	}

	/** What the status bar says in the end. */
	protected final void done(final String words) {
		summary = words;
	}

	/** What the status bar says in the end; empty for nothing. */
	public final String summary() {
		return summary;
	}

	@Override
	public final void run() {
		frontEnd.forgetEscape();
		try (TaskProgress progress = new TaskProgress(title(), tasks, status, () -> isCanceled() || frontEnd.escapePressed())) {
			execute(frontEnd, progress);
			progress.finish(summary);
		}
		catch (final CancellationException e) {
			// whoever canceled from outside may have given a reason
			if (!isCanceled()) cancel("");
			status.showStatus(title() + " canceled");
			frontEnd.abortMacro("");
		}
		catch (final IllegalArgumentException e) {
			log.debug(e);
			fail(e.getMessage());
		}
		catch (final NccException | DeviceException e) {
			log.error(e);
			fail(e.getMessage());
		}
		catch (final RuntimeException | Error e) {
			if (Batch.isRunning()) log.error(title() + " failed", e);
			frontEnd.abortMacro("");
			throw e;
		}
	}

	private void fail(final String reason) {
		cancel(told(frontEnd, log, title(), reason));
	}

	/**
	 * Ends the macro that runs a command, if one does, and says why in one place: without windows the log and the macro do. With windows the one that shows
	 * why a command was canceled does; the log does not, as Fiji would open its console on top.
	 *
	 * @return what to cancel the command with
	 */
	public static String told(final FrontEnd program, final LogService log, final String command, final String reason) {
		final boolean windows = !GraphicsEnvironment.isHeadless() && !Batch.isRunning();
		if (windows) log.debug(command + ": " + reason);
		else log.error(command + ": " + reason);
		return program.abortMacro(reason) ? "" : windows ? MessageLines.of(reason) : reason;
	}

	/** Asked from the threads that do the work. */
	@Override
	public final synchronized boolean isCanceled() {
		return super.isCanceled();
	}

	@Override
	public final synchronized void cancel(final String reason) {
		super.cancel(reason);
	}

	/** @throws IllegalArgumentException if the image is missing or its pixels are colours */
	protected final void requireGray(final String parameter, final ImageInput image) {
		if (image == null) throw new IllegalArgumentException(missing(parameter, frontEnd.openImages()));
		if (image.isColor()) throw new IllegalArgumentException("The " + parameter + " '" + image.name()
			+ "' is an RGB image, and colours have no one correlation. Convert it with Image > Type > 8-bit, or take one of its channels with"
			+ " Image > Color > Split Channels.");
	}

	/** What to say of an image that was not given. */
	public static String missing(final String parameter, final List<String> openImages) {
		return "The " + parameter + " is missing. " + openImages(openImages) + " In a macro: " + parameter + "=[title].";
	}

	/** What to say of a title that no image has. */
	public static String noImage(final String title, final List<String> openImages) {
		return "No open image is called '" + title + "'. " + openImages(openImages);
	}

	/** What to say of a title that several images have. */
	public static String twice(final String title) {
		return "Two open images are called '" + title + "'. Rename one of them first.";
	}

	/** {@code Open images: a.tif, b.tif.} */
	static String openImages(final List<String> titles) {
		final int more = titles.size() - LISTED;
		final String list = String.join(", ", more > 1 ? titles.subList(0, LISTED) : titles);
		return list.isEmpty() ? "No image is open." : "Open images: " + list + (more > 1 ? " and " + more + " more" : "") + ".";
	}

	/** The label in the menu. */
	private String title() {
		return title(getClass().getAnnotation(Plugin.class).menuPath());
	}

	/** The label in the menu. */
	public static String title(final ModuleInfo command) {
		return title(command.getMenuPath().getMenuString());
	}

	private static String title(final String path) {
		final String leaf = path.substring(path.lastIndexOf('>') + 1);
		return leaf.replace("...", "").trim();
	}
}
