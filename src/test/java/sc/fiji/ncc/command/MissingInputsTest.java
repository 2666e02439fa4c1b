package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.command.program.DrawnInput;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;

/** What commands say in place of a dialog, which image their dialogs propose, and the images that a list of titles means. */
class MissingInputsTest {

	private static final String NO_IMAGE = "No image is open. Open an image first, for example File > Open Samples > NCC Coins.";

	/** A program with open images, the first of which is active. */
	private record Open(List<String> images, List<String> stacks, boolean selected, boolean regions, Map<String, List<String>> others) {

		FrontEnd program() {
			final Map<String, ImageInput> inputs = new LinkedHashMap<>();
			for (final String title : images) inputs.put(title, new DrawnInput(ArrayImgs.bytes(9, 9), stacks.contains(title) ? "xyt" : "xy", new long[0],
				null, List.of(), List.of()));
			return (FrontEnd) Proxy.newProxyInstance(FrontEnd.class.getClassLoader(), new Class<?>[] { FrontEnd.class }, (proxy, method, arguments) ->
				switch (method.getName()) {
				case "openImages" -> images;
				case "activeImage" -> images.stream().findFirst();
				case "stacks" -> stacks;
				case "isActiveSelected" -> selected;
				case "hasRegions" -> regions;
				case "othersThan" -> others.getOrDefault(arguments[0], List.of());
				case "image" -> inputs.get(arguments[0]);
				case "folder" -> List.of(inputs.values().iterator().next());
				default -> throw new AssertionError(method);
			});
		}
	}

	private static Open open(final String... images) {
		return new Open(List.of(images), List.of(), false, false, Map.of());
	}

	private static Optional<String> missing(final NccCommand command, final Open open) {
		return command.missing(open.program());
	}

	@Test
	void withoutAnImageAllCommandsSayWhichToOpen() {
		for (final NccCommand command : List.of(new NormalizedCrossCorrelationCommand(), new FindMatchesCommand(), new FindRotatedMatchesCommand(),
			new TrackTemplatesCommand(),
			new ConvolveImageCommand(), new CorrectDriftCommand(), new CorrectMotionCommand(), new ApplyDriftCommand(), new RegisterImagesCommand(),
				new MotionFieldCommand()))
			assertEquals(Optional.of(NO_IMAGE), missing(command, open()), command.getClass().getSimpleName());
		for (final NccCommand command : List.of(new ReportPlanCommand(), new StitchTilesCommand(), new ListDevicesCommand(), new CoinsSampleCommand()))
			assertEquals(Optional.empty(), missing(command, open()), command.getClass().getSimpleName());
	}

	/** A selection, regions or a second image can be the template. */
	@Test
	void aTemplateIsNeeded() {
		final NccCommand find = new FindMatchesCommand();
		assertEquals(Optional.of("The template is missing: nothing is selected in 'a.tif', and no other image is open. "
			+ "Draw a selection around the object, or open the template as a second image."), missing(find, open("a.tif")));
		assertEquals(Optional.empty(), missing(find, open("a.tif", "b.tif")));
		assertEquals(Optional.empty(), missing(find, new Open(List.of("a.tif"), List.of(), true, false, Map.of())));
		assertEquals(Optional.empty(), missing(find, new Open(List.of("a.tif"), List.of(), false, true, Map.of())));
	}

	@Test
	void aSecondImageIsNeeded() {
		assertEquals(Optional.of("Register Images needs two images: open a second image. Open images: a.tif."), missing(new RegisterImagesCommand(), open("a.tif")));
		assertEquals(Optional.of("Convolve Image needs a kernel: open a second image. Open images: a.tif."), missing(new ConvolveImageCommand(), open("a.tif")));
		for (final NccCommand command : List.of(new RegisterImagesCommand(), new ConvolveImageCommand())) assertEquals(Optional.empty(),
			missing(command, open("a.tif", "b.tif")));
		assertEquals(Optional.empty(), missing(new ApplyDriftCommand(), open("a.tif")));
	}

	/** If no image is chosen yet, the dialog proposes the first stack: the active image, if it is one. */
	@Test
	void aStackIsNeeded() {
		final Open plane = open("a.tif"), both = new Open(List.of("a.tif", "s.tif", "t.tif"), List.of("s.tif", "t.tif"), false, false,
			Map.of()),
			active = new Open(List.of("t.tif", "s.tif"), List.of("s.tif", "t.tif"), false, false, Map.of());
		for (final NccCommand command : List.of(new CorrectDriftCommand(), new CorrectMotionCommand(), new TrackTemplatesCommand())) {
			final String title = command instanceof StackCorrectionCommand ? ((StackCorrectionCommand) command).name() : "Track Templates";
			assertEquals(Optional.of(title + " needs a stack: 'a.tif' has one plane. Open a stack first."), missing(command, plane));
			for (final Open o : List.of(both, active)) assertEquals(Optional.empty(), missing(command, o));
			assertEquals("a.tif", command.proposed(plane.program(), "a.tif"));
			assertEquals("s.tif", command.proposed(both.program(), "a.tif"));
			assertEquals("t.tif", command.proposed(active.program(), "t.tif"));
		}
	}

	/** A user often opens the template last. */
	@Test
	void theImageThatTheActiveOneFitsIsProposed() {
		final NccCommand find = new FindMatchesCommand();
		final Map<String, List<String>> smaller = Map.of("image.tif", List.of("template.tif"));
		assertEquals("image.tif", find.proposed(new Open(List.of("template.tif", "image.tif"), List.of(), false, false, smaller).program(), "template.tif"));
		assertEquals("template.tif", find.proposed(new Open(List.of("template.tif", "image.tif"), List.of(), true, false, smaller).program(), "template.tif"));
		assertEquals("template.tif", find.proposed(new Open(List.of("template.tif", "image.tif"), List.of(), false, true, smaller).program(), "template.tif"));
		assertEquals("template.tif", find.proposed(open("template.tif", "image.tif").program(), "template.tif"));
		assertEquals("image.tif", find.proposed(new Open(List.of("image.tif", "template.tif"), List.of(), false, false, smaller).program(), "image.tif"));
	}

	/** A frame that was duplicated from a stack is registered onto another frame, not onto the stack, which is refused. */
	@Test
	void aPlaneIsProposedForAPlane() {
		final NccCommand register = new RegisterImagesCommand();
		final FrontEnd program = new Open(List.of("b", "s.tif", "t.tif", "a"), List.of("s.tif", "t.tif"), false, false, Map.of("b", List.of("s.tif", "a"))).program();
		assertEquals(List.of("a"), register.preferred(program, "b"));
		assertEquals(List.of("t.tif"), register.preferred(program, "s.tif"));
		assertEquals(List.of("a"), new ConvolveImageCommand().preferred(program, "b"), "frames are no kernel");
	}

	/** A list of eleven titles is not longer with the last of them than without it. */
	@Test
	void longListsOfTitlesAreCut() {
		final List<String> titles = IntStream.rangeClosed(1, 12).mapToObj(i -> "i" + i).toList();
		assertEquals("No image is open.", NccCommand.openImages(List.of()));
		assertEquals("Open images: i1.", NccCommand.openImages(titles.subList(0, 1)));
		assertEquals("Open images: i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11.", NccCommand.openImages(titles.subList(0, 11)));
		assertEquals("Open images: i1, i2, i3, i4, i5, i6, i7, i8, i9, i10 and 2 more.", NccCommand.openImages(titles));
	}

	/** A star is neither the searched image nor a map. A title with a star in it is found, too. A folder counts unless an image has its name. */
	@Test
	void aStarStandsForOtherImages() {
		final FrontEnd program = open("a.tif", "a1.tif", "b1.tif", "NCC of a.tif", ".").program();
		assertEquals(List.of(program.image("a1.tif")), NccCommand.images("a*.tif", "a.tif", program));
		assertEquals(List.of(program.image("a.tif"), program.image("a1.tif")), NccCommand.images("a*.tif", "b1.tif", program));
		assertEquals(List.of(program.image("a1.tif"), program.image("b1.tif"), program.image(".")), NccCommand.images("*", "a.tif", program));
		assertEquals(List.of(program.image("a.tif")), NccCommand.images("a.tif", "a.tif", program));
		assertEquals(List.of(program.image(".")), NccCommand.images(".", "a.tif", program));
		final FrontEnd other = open("a.tif", "b.tif").program();
		assertEquals(List.of(other.image("a.tif")), NccCommand.images(".", "b.tif", other), "a folder");
		assertEquals("No open image is called 'c*'. Open images: a.tif, b.tif.",
			assertThrows(IllegalArgumentException.class, () -> NccCommand.images("c*", "a.tif", other)).getMessage());
		assertEquals(Collections.singletonList(null), NccCommand.images("a\0b", "a.tif", other), "no folder has such a name");
		assertTrue(NccCommand.twice("a.tif").startsWith("Two open images are called 'a.tif'."));
	}
}
