package sc.fiji.ncc.command;

import java.awt.GraphicsEnvironment;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import net.imglib2.img.Img;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;

import org.scijava.app.StatusService;
import org.scijava.command.CommandInfo;
import org.scijava.command.CommandModule;
import org.scijava.command.ContextCommand;
import org.scijava.log.LogService;
import org.scijava.module.Module;
import org.scijava.module.ModuleInfo;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.task.TaskService;

import sc.fiji.ncc.command.input.NamedTemplate;
import sc.fiji.ncc.command.input.OrientedImage;
import sc.fiji.ncc.command.program.Documents;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.command.program.MessageLines;
import sc.fiji.ncc.front.Axes;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;

/**
 * Base of all commands: progress, cancellation and error messages. If a parameter is not valid, the command is canceled, and the message is the reason.
 * If the user stops the command, it is canceled without a reason.
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

	/** Maximum number of titles in a message. */
	private static final int MAX_TITLES = 10;

	/** Actions that open the maps. */
	private final List<Runnable> maps = new ArrayList<>();

	/** The final text of the status bar; empty for none. */
	private String summary = "";

	/** Reads the parameters, runs an operation and sets the outputs. */
	protected abstract void execute(FrontEnd program, Monitor monitor);

	/** @return the section about this command: a page in {@code src/doc} and a heading, as in {@code user-guide.md#devices} */
	protected abstract String section();

	/** @return the address that the help button opens; empty if the program was built without its documentation */
	public final Optional<String> helpPage() {
		return Documents.address(section());
	}

	/**
	 * Checks whether a dialog can offer a choice. If an image or a selection is missing, a message appears in place of the dialog.
	 *
	 * @return the message; empty if the dialog can open
	 */
	public Optional<String> missing(final FrontEnd program) {
		return Optional.empty();
	}

	/**
	 * The image that the dialog proposes first. Default: the active image.
	 *
	 * @param active the title of the active image
	 * @return the title of an open image
	 */
	public String proposed(final FrontEnd program, final String active) {
		return active;
	}

	/**
	 * The images that the dialog prefers for the second input. Default: those that fit as a template of the active image.
	 *
	 * @param active the title of the active image
	 * @return titles of open images
	 */
	public List<String> preferred(final FrontEnd program, final String active) {
		return program.othersThan(active);
	}

	/** The active image. If no other image fits into it: the first image that it fits as the second input. A user often opens the smaller image last. */
	final String holder(final FrontEnd program, final String active) {
		if (!preferred(program, active).isEmpty()) return active;
		return program.openImages().stream().filter(title -> preferred(program, title).contains(active)).findFirst().orElse(active);
	}

	/** The active image if it is a stack, otherwise the first open stack, if there is one. */
	static String proposedStack(final FrontEnd program, final String active) {
		final List<String> stacks = program.stacks();
		return stacks.contains(active) || stacks.isEmpty() ? active : stacks.get(0);
	}

	/**
	 * The message if the active image is not a stack, and no stack can take its place.
	 *
	 * @param image the value of the parameter; null if it has none
	 * @param command the name of the command
	 */
	static Optional<String> missingStack(final FrontEnd program, final ImageInput image, final String command) {
		final Optional<String> active = program.activeImage();
		if (active.isEmpty()) return image == null ? Optional.of(NO_IMAGE) : Optional.empty();
		final List<String> stacks = program.stacks();
		if (image == null && !stacks.isEmpty() || stacks.contains(active.get())) return Optional.empty();
		return Optional.of(command + " needs a stack: '" + active.get() + "' has one plane. " + (stacks.isEmpty() ? "Open a stack first."
			: "Activate one of the open stacks: " + String.join(", ", stacks) + "."));
	}

	/** The message if no image is open. */
	static final String NO_IMAGE = "No image is open. Open an image first, for example File > Open Samples > NCC Coins.";

	/** Follows the answers of a dialog before the command runs and a macro is recorded. Default: nothing to do. */
	public void answered(final Module module) {}

	/** The program around the command. */
	protected final FrontEnd program() {
		return frontEnd;
	}

	/** Makes the output for scripts from a map. {@link #openMaps} opens the map as an image. */
	protected final <T extends NativeType<T> & RealType<T>> Img<T> described(final Img<T> map, final MapDescription description) {
		maps.add(() -> frontEnd.open(map, description));
		return frontEnd.describe(map, description);
	}

	/** The same for the map of a response, in the axes of the image that was searched. */
	@SuppressWarnings("unchecked") // a map has real pixels
	final <T extends NativeType<T> & RealType<T>> Img<T> described(final Response response, final OrientedImage searched,
		final ImageInput source, final String name, final double min, final double max, final Provenance provenance)
	{
		final Img<T> map = searched.back((Img<T>) response.images().get(0));
		return described(map, new MapDescription(name, source, searched.back(response.origin()),
			new MapDescription.Shown(min, max, response.type()), null, provenance.properties()));
	}

	/** Opens the new maps as images, each once. */
	public final void openMaps() {
		maps.forEach(Runnable::run);
		maps.clear();
	}

	/**
	 * Sets the final text of the status bar.
	 *
	 * @param text the result first and the titles of images last: Fiji's search box covers all but about 60 characters
	 */
	protected final void done(final String text) {
		summary = text;
	}

	/** @return the final text of the status bar; empty for none */
	public final String summary() {
		return summary;
	}

	@Override
	public final void run() {
		frontEnd.forgetEscape();
		try (TaskProgress progress = new TaskProgress(title(), tasks, status, () -> isCanceled() || frontEnd.escapePressed())) {
			Keys.requireValid(new CommandModule(new CommandInfo(getClass()), this));
			execute(frontEnd, progress);
			progress.finish(summary);
		}
		catch (final CancellationException e) {
			// a caller that canceled the command can have set a reason
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

	/** Runs a part of the work while the dialog is open. It shows its progress, and a condition or the user can cancel it. */
	protected final void compute(final BooleanSupplier canceled, final Consumer<Monitor> work) {
		frontEnd.forgetEscape();
		try (TaskProgress progress = new TaskProgress(title(), tasks, status, () -> canceled.getAsBoolean() || frontEnd.escapePressed())) {
			work.accept(progress);
		}
	}

	/** Shows why a value in the dialog is not valid, for example while the user types it. */
	public void invalid(final String reason) {
		say(reason);
	}

	/** Shows a text in the status bar. */
	protected final void say(final String text) {
		status.showStatus(text);
	}

	/** Shows a note that matters in the log window, because the status bar cuts long texts. */
	protected final void note(final String text) {
		frontEnd.note(title() + ": " + text);
	}

	/** Writes a line to the log. */
	protected final void report(final String line) {
		log.info(title() + ": " + line);
	}

	private void fail(final String reason) {
		cancel(report(frontEnd, log, title(), reason));
	}

	/**
	 * Reports a failure once, and ends the macro if one runs. Without windows, the reason goes to the log and to the macro. With windows, the caller shows
	 * the reason; the log does not, because Fiji would open its console.
	 *
	 * @return the reason for {@link #cancel}; empty if the macro shows it
	 */
	public static String report(final FrontEnd program, final LogService log, final String command, final String reason) {
		final boolean windows = !GraphicsEnvironment.isHeadless() && !Batch.isRunning();
		if (windows) log.debug(command + ": " + reason);
		else log.error(command + ": " + reason);
		return program.abortMacro(reason) ? "" : windows ? MessageLines.of(reason) : reason;
	}

	/** Safe to call from any thread. */
	@Override
	public final synchronized boolean isCanceled() {
		return super.isCanceled();
	}

	@Override
	public final synchronized void cancel(final String reason) {
		super.cancel(reason);
	}

	/** @throws IllegalArgumentException if the image is missing */
	protected final void requireImage(final String parameter, final ImageInput image) {
		if (image == null) throw new IllegalArgumentException(missing(parameter, frontEnd.openImages()));
	}

	/** @throws IllegalArgumentException if the image is missing or its pixels are colours */
	protected final void requireGray(final String parameter, final ImageInput image) {
		requireImage(parameter, image);
		if (image.isColor()) throw new IllegalArgumentException("The " + parameter + " '" + image.name()
			+ "' is an RGB image. Convert the image to one channel first: Image > Type > 8-bit, or Image > Color > Split Channels.");
	}

	/** @throws IllegalArgumentException if the image is missing or its pixels are colours, which are to be channels */
	protected final void requireChannels(final String parameter, final ImageInput image) {
		requireImage(parameter, image);
		if (image.isColor()) throw new IllegalArgumentException("The " + parameter + " '" + image.name()
			+ "' is an RGB image. Make its colours channels first: Image > Color > Make Composite. Or convert it to one channel: Image > Type > 8-bit.");
	}

	/** A template from another image. @param image the searched image */
	final NamedTemplate named(final ImageInput template, final ImageInput image) {
		requireGray("template", template);
		Axes.requireSameSpace(template.axes(), image.axes(), "the template '" + template.name() + "'");
		return NamedTemplate.of(template);
	}

	/**
	 * The images of a part of a list of templates.
	 *
	 * @param part a folder, the title of an open image, or a title in which * stands for any text
	 * @param own the title of the searched image, which * does not stand for
	 */
	static List<ImageInput> images(final String part, final String own, final FrontEnd program) {
		if (!program.openImages().contains(part) && isFolder(part)) return program.folder(part);
		return titles(part, own, program).stream().map(program::image).toList();
	}

	private static boolean isFolder(final String name) {
		try {
			return Files.isDirectory(Path.of(name));
		}
		catch (final InvalidPathException e) {
			return false;
		}
	}

	/** Replaces wildcards in a title. A wildcard stands for open images, but not for the searched image or for correlation maps. */
	private static List<String> titles(final String text, final String own, final FrontEnd program) {
		if (text.indexOf('*') < 0) return List.of(text);
		final Pattern pattern = Pattern.compile(List.of(text.split("\\*", -1)).stream().map(Pattern::quote)
			.collect(Collectors.joining(".*")));
		final List<String> matching = program.openImages().stream().filter(title -> pattern.matcher(title).matches() && !title.equals(own)
			&& !title.startsWith(NormalizedCrossCorrelationCommand.MAP)).toList();
		if (matching.isEmpty()) throw new IllegalArgumentException(noImage(text, program.openImages()));
		return matching;
	}

	/** @return the message for an image parameter without a value */
	public static String missing(final String parameter, final List<String> openImages) {
		return "The " + parameter + " is missing. " + openImages(openImages) + " In a macro: " + parameter + "=[title].";
	}

	/** @return the message for a title that no open image has */
	public static String noImage(final String title, final List<String> openImages) {
		return "No open image is called '" + title + "'. " + openImages(openImages);
	}

	/** @return the message for a title that several open images have */
	public static String twice(final String title) {
		return "Two open images are called '" + title + "'. Rename one of them with Image > Rename...";
	}

	/** @return a sentence such as {@code Open images: a.tif, b.tif.} */
	static String openImages(final List<String> titles) {
		final int more = titles.size() - MAX_TITLES;
		final String list = String.join(", ", more > 1 ? titles.subList(0, MAX_TITLES) : titles);
		return list.isEmpty() ? "No image is open." : "Open images: " + list + (more > 1 ? " and " + more + " more" : "") + ".";
	}

	/** @return the label in the menu, without dots */
	private String title() {
		return title(getClass().getAnnotation(Plugin.class).menuPath());
	}

	/** @return the label in the menu, without dots */
	public static String title(final ModuleInfo command) {
		return title(command.getMenuPath().getMenuString());
	}

	private static String title(final String path) {
		final String leaf = path.substring(path.lastIndexOf('>') + 1);
		return leaf.replace("...", "").trim();
	}
}
