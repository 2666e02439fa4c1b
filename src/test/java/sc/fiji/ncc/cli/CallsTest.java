package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Random;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ByteProcessor;

import net.imglib2.RandomAccessibleInterval;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.map.FolderOfMaps;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.Response;

/** What a call means: words that are misspelt, digits, boxes, outputs among inputs, and inputs that change during the run. */
class CallsTest extends InFolder {

	private final byte[] pixels = new byte[3000];

	/** image.tif, 60x50, of noise; template.tif, its 9x7 at (12, 20); a folder in with a.tif and b.tif. */
	@BeforeEach
	void images() throws IOException {
		new Random(7).nextBytes(pixels);
		final ByteProcessor image = new ByteProcessor(60, 50, pixels);
		save("image.tif", image);
		Files.createDirectory(folder.resolve("in"));
		save("in/a.tif", image);
		save("in/b.tif", image);
		image.setRoi(12, 20, 9, 7);
		save("template.tif", image.crop());
	}

	@Test
	void whatIsUnknownIsNamedFirst() throws IOException {
		refuses("match image.tif template.tif -o m.csv --max-matches 3 --min-scor 0.5", "unknown option '--min-scor'; did you mean '--min-score'?");
		refuses("match image.tif template.tif -o m.csv --max-matches 3 --min-scor=0.5", "unknown option '--min-scor'; did you mean '--min-score'?");
		refuses("match image.tif template.tif -o m.csv --max-matches 3 --min 0.5", "unknown option '--min'; did you mean '--min-score'?");
		refuses("match image.tif --rio 1,2,3,4 -o m.csv --max-matches 3 --min-score 0.5", "unknown option '--rio'; did you mean '--roi'?");
		refuses("correlate image.tif template.tif -o map.tif --what", "unknown option '--what'");
		assertFalse(err.toString().contains("did you mean '--explain'"), err.toString());
		refuses("mtach image.tif template.tif", "unknown command 'mtach'; did you mean 'match'?");
		refuses("corelate", "did you mean 'correlate'?");
		refuses("conjure", "unknown command 'conjure'", "correlate, match");
		// its options and arguments are not those of a command
		refuses("mtach image.tif --roi 1,2,9,9", "unknown command 'mtach'; did you mean 'match'?");
		refuses("mtach --help", "unknown command 'mtach'; did you mean 'match'?");
		refuses("help mtach", "unknown command 'mtach'; did you mean 'match'?");
		refuses("--hepl", "unknown option '--hepl'; did you mean '--help'?");
		refuses("track image.tif image.tif --roi 1,2,9,9 --max-shift 1,1 -o t.csv", "unexpected argument '" + path("image.tif"));
		refuses("devices now", "unexpected argument 'now'");
		// what is missing, where nothing is unknown
		refuses("correlate image.tif template.tif", "Missing", "--output");
		// numbers are values, and no options
		refuses("correlate image.tif template.tif -o map.tif --extent full --search -5,-3,20,10 -7", "no file -7");
	}

	@Test
	void onlyAsciiDigitsAreNumbers() throws IOException {
		final String both = "correlate image.tif template.tif -o map.tif ";
		for (final String three : new String[] { "\uff13", "\u0663", "\u0969", "0x3", "3L", "3f", "3d", "\u00b3" }) {
			refuses(both + "--threads " + three, "--threads", "'" + three + "' is not a whole number");
			refuses(both + "--search 0,0,9," + three, "'" + three + "'");
			refuses(both + "--inside 0,0,9," + three, "'" + three + "'");
			refuses("correlate image.tif -o map.tif --roi 1,2,9," + three, "'" + three + "'");
			refuses("match image.tif template.tif -o m.csv --min-score 0.5 --max-matches " + three, "--max-matches", "'" + three + "' is not a whole number");
			refuses("match image.tif template.tif -o m.csv --max-matches 1 --min-score 0." + three, "--min-score", three + "' is not a number");
			refuses(both + "--extent same --border constant:" + three, three);
			refuses("track image.tif --roi 1,2,9,9 --max-shift 1," + three + " -o t.csv", "'" + three + "'");
			refuses("track image.tif --roi 1,2,9,9 --max-shift 1,1 -o t.csv --reference " + three, "--reference", three);
			refuses("plan --image 60x50 --template 9x" + three, three);
			refuses("plan --image 60x50 --template 9x7 --frames " + three, "--frames", three);
			Files.writeString(folder.resolve("k.txt"), "1 " + three + "\n2 3\n");
			refuses("convolve image.tif k.txt -o map.tif", "'" + three + "'", "not a number");
		}
		Files.writeString(folder.resolve("k.txt"), "1 -2.5e-1\n+2 .5\n");
		succeeds("convolve", "image.tif", "k.txt", "-o", "map.tif");
		succeeds("match", "image.tif", "template.tif", "-o", "m.csv", "--max-matches", "+3", "--min-score", "5e-1");
	}

	/** Windows that lie in a box are those of an image that is cut out. */
	@Test
	void windowsInside() throws IOException {
		for (final String extent : new String[] { "valid", "same", "full" }) {
			succeeds("correlate", "image.tif", "template.tif", "-o", "map.tif", "--inside", "5,4,30,40", "--extent", extent);
			assertArrayEquals(new long[] { 22, 34 }, map("map.tif").dimensionsAsLongArray());
			assertEquals(1, values(map("map.tif"))[16 * 22 + 7], 1e-5);
			assertEquals(extent.equals("same") ? -9 : -5, ImageFiles.read(path("map.tif")).calibration().xOrigin());
		}
		// the template's own window lies at (12, 20), and ends at (20, 26)
		for (final String box : new String[] { "12,20,9,7", "0,0,21,27", "12,20,48,30" }) {
			succeeds("match", "image.tif", "template.tif", "-o", "m.csv", "--max-matches", "1", "--min-score", "0.99", "--inside", box);
			assertEquals(2, Files.readAllLines(folder.resolve("m.csv")).size(), box);
		}
		for (final String box : new String[] { "13,20,9,7", "0,0,20,27", "0,0,21,26" }) {
			succeeds("match", "image.tif", "template.tif", "-o", "m.csv", "--max-matches", "1", "--min-score", "0.99", "--inside", box);
			assertEquals(1, Files.readAllLines(folder.resolve("m.csv")).size(), box);
		}
		final String match = "match image.tif template.tif -o m2.csv --max-matches 1 --min-score 0.9 --inside ";
		refuses(match + "5,5,8,7", "9x7", "8x7");
		refuses(match + "55,5,9,7", "60x50");
		refuses(match + "5,5,20,20 --search 1,1,2,2", "--search", "--inside", "one of them");
		refuses(match + "5,5,20,20,0,1", "x,y,w,h");
		refuses(match + "5,5,0,20", "empty");
	}

	@Test
	void outputsAmongTheImages() throws IOException {
		refuses("match ./in template.tif -o m.csv --max-matches 1 --min-score 0.5 --overlay in/o.png", "o.png", "among the images", "another folder");
		refuses("match ./in template.tif -o in/m.png --max-matches 1 --min-score 0.5", "among the images");
		refuses("track ./in --roi 12,20,9,7 --max-shift 2,2 -o t.csv --plot in/p.PNG".replace("in/p.PNG", path("in/p.PNG")), "among the images");
		succeeds("match", "./in", "template.tif", "-o", "in/m.csv", "--max-matches", "1", "--min-score", "0.5", "--overlay", "o.png");
		succeeds("match", "./in", "template.tif", "-o", "in/m.csv", "--max-matches", "1", "--min-score", "0.5", "--overlay", "o.png");
	}

	/** The whole program, which is about to compute when it prints its methods: then another program writes to an input. */
	private void refusesChanged(final String input, final String... words) throws IOException {
		final List<String> before = files();
		final String[] arguments = new String[words.length + 1];
		for (int i = 0; i < words.length; i++) arguments[i] = words[i].matches(".*\\.(tif|csv|zarr|txt)") ? path(words[i]) : words[i];
		arguments[words.length] = "--explain";
		err.reset();
		final PrintStream writing = new PrintStream(new ByteArrayOutputStream()) {

			@Override
			public void println(final String line) {
				try {
					final byte[] bytes = Files.readAllBytes(folder.resolve(input));
					bytes[bytes.length - 5] ^= 1;
					Files.write(folder.resolve(input), bytes);
				}
				catch (final IOException e) {
					throw new UncheckedIOException(e);
				}
			}
		};
		assertEquals(2, Main.run(arguments, writing, new PrintStream(err, true), false), err::toString);
		assertTrue(err.toString().contains(path(input) + " changed during the run") && err.toString().strip().lines().count() == 1, err.toString());
		assertEquals(before, files());
	}

	@Test
	void inputsThatChange() throws IOException {
		refusesChanged("image.tif", "correlate", "image.tif", "template.tif", "-o", "map.tif");
		refusesChanged("image.tif", "correlate", "image.tif", "template.tif", "-o", "map.zarr");
		refusesChanged("template.tif", "correlate", "image.tif", "template.tif", "-o", "map.tif");
		refusesChanged("image.tif", "correlate", "image.tif", "template.tif", "--best", "-o", "map.tif");
		refusesChanged("image.tif", "correlate", "image.tif", "template.tif", "--best", "-o", "map.zarr");
		refusesChanged("image.tif", "match", "image.tif", "template.tif", "--max-matches", "1", "--min-score", "0", "-o", "m.csv");
		refusesChanged("image.tif", "convolve", "image.tif", "template.tif", "-o", "map.tif");
		final ImageStack frames = new ImageStack(60, 50);
		for (int i = 0; i < 2; i++) frames.addSlice(IJ.openImage(path("image.tif")).getProcessor());
		save("stack.tif", new ImagePlus("stack", frames));
		refusesChanged("stack.tif", "track", "stack.tif", "--roi", "1,2,9,9", "--max-shift", "3,3", "-o", "t.csv");
		refusesChanged("in/b.tif", "track", path("in"), "--roi", "1,2,9,9", "--max-shift", "3,3", "-o", "t.csv");
	}

	/** Of a folder the images that were done before one changed stay, and that one's map is not there. */
	@Test
	void imagesOfAFolderThatChange() throws IOException {
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(ImageFiles.read(path("template.tif")).pixels());
		final List<String> names = List.of(path("in/a.tif"), path("in/b.tif"));
		try (ProgressBar progress = new ProgressBar(new PrintStream(err), false, () -> false, System::nanoTime);
			FolderOfMaps maps = new FolderOfMaps(path("maps"), null, path("in"), names, 1, PixelType.F32, true))
		{
			final Exception e = org.junit.jupiter.api.Assertions.assertThrows(Exception.class, () -> maps.make(names, 2, sc.fiji.ncc.front.ChannelChoice.AUTO, progress, op, (frames, each) -> {
				final Iterator<RandomAccessibleInterval<?>> source = frames.iterator();
				take(0, op.correlate(source.next()), each);
				final Response second = op.correlate(source.next());
				write(path("in/b.tif"));
				take(1, second, each);
				return null;
			}));
			assertEquals(2, Main.failure(new PrintStream(err, true), e));
		}
		assertTrue(err.toString().contains("b.tif changed during the run") && err.toString().contains("the first 1 file"), err.toString());
		assertEquals(List.of("a.tif"), Files.list(folder.resolve("maps")).map(p -> p.getFileName().toString()).toList());
	}

	private static void take(final long frame, final Response response, final FrameConsumer<Response> each) {
		try {
			each.accept(frame, response);
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	private static void write(final String file) {
		try {
			Files.writeString(Path.of(file), "else");
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	/** {@code --explain} prints the ranking of the problem that ran. */
	private void explains(final String words, final String problem) {
		final String said = succeeds((words + " --backend cpu").split(" "));
		assertTrue(!said.contains("predicted"), "nothing is explained without --explain: " + said);
		final List<String> lines = succeeds((words + " --backend cpu --explain").split(" ")).lines().toList();
		final String ranking = lines.stream().filter(line -> line.contains("image 384x303, ")).findFirst().orElseThrow();
		assertTrue(ranking.contains(problem), ranking);
		assertEquals(1, lines.stream().filter(line -> line.contains(" selected: ")).count());
		final String taken = lines.stream().filter(line -> line.contains(" selected: ")).findFirst().orElseThrow().strip().split(" ")[0];
		assertTrue(lines.get(lines.size() - 1).contains(" by " + taken + " in "), "the summary names the algorithm that is taken: " + lines);
	}

	@Test
	void theProblemThatRanIsExplained() throws IOException {
		succeeds("sample", "coins.png");
		Files.createDirectory(folder.resolve("pair"));
		for (final String name : List.of("a.png", "b.png")) Files.copy(folder.resolve("coins.png"), folder.resolve("pair").resolve(name));
		explains("correlate coins.png --roi 9,9,20,20 -o map.tif", "[20x20], 365x284 lags, 1 frame");
		explains("correlate coins.png coins.png pair/a.png --best --extent same -o map.tif", "the best of each lag only");
		explains("match coins.png --roi 9,9,20,20 -o m.csv", "1 frame, peaks only");
		explains("match ./pair --roi 9,9,20,20 -o m.csv", " 2 frames, peaks only");
		explains("correlate ./pair --roi 9,9,20,20 -o ./maps", "365x284 lags, 2 frames");
	}
}
