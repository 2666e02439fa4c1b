package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Random;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.fixture.ByteZarr;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.stitch.StitchParts;

/** Commands whose boxes several members compute, in any order: the same results as in one process. The members are objects in this process. */
class ClusterTest extends OnCluster {

	private static Img<UnsignedByteType> plane, volume;

	/** Of six and of 27 boxes, the last of them thin. */
	@BeforeAll
	static void draw() {
		plane = RandomPixels.image(new Random(1), 200, 2100, 1060);
		volume = RandomPixels.image(new Random(2), 200, 140, 132, 140);
		// copies of the templates, also across the borders of boxes, with some noise
		for (final int[] at : new int[][] { { 20, 30 }, { 1018, 500 }, { 1500, 1020 }, { 1019, 1017 }, { 1021, 1019 } }) copy(plane, at, 16);
		for (final int[] at : new int[][] { { 5, 6, 7 }, { 126, 40, 126 }, { 60, 124, 60 } }) copy(volume, at, 8);
	}

	@BeforeEach
	void images() throws IOException {
		ByteZarr.write(plane, 512, folder.resolve("plane.zarr"));
		ByteZarr.write(volume, 64, folder.resolve("volume.zarr"));
	}

	private static void copy(final Img<UnsignedByteType> to, final int[] at, final int side) {
		final Random random = new Random(at[0]);
		final int n = at.length;
		final long[] p = new long[n];
		for (int i = 0; i < Math.pow(side, n); i++) {
			for (int d = 0, rest = i; d < n; d++, rest /= side) p[d] = rest % side;
			final int value = to.getAt(p).get();
			for (int d = 0; d < n; d++) p[d] += at[d];
			to.getAt(p).set(Math.max(0, Math.min(255, value + random.nextInt(20))));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "plane.zarr --roi 0,0,16,16", "volume.zarr --roi 0,0,0,8,8,8", "volume.zarr --roi 0,0,6,5", "plane.zarr --roi 3,4,11,9 --extent same --border mirror",
		"plane.zarr --roi 3,4,11,9 --extent full --undefined nan", "plane.zarr --roi 3,4,11,9 --extent same --response-type 16-bit" })
	void mapsAreThoseOfOneProcess(final String words) throws IOException {
		same("correlate " + words + " --algorithm cpu-direct-exact -o m.zarr", "m.zarr");
	}

	@Test
	void severalTemplatesOfSeveralSizes() throws IOException {
		for (int t = 0; t < 3; t++) ByteZarr.write(RandomPixels.image(t, 5 + t / 2, 7), 16, folder.resolve("t" + t + ".zarr"));
		same("correlate plane.zarr t0.zarr t1.zarr t2.zarr --algorithm cpu-direct-exact -o m.zarr", "m-1.zarr", "m-2.zarr", "m-3.zarr");
	}

	/** Also the bytes of a map from memory. Templates of several sizes have lags of their own in each box. */
	@ParameterizedTest
	@ValueSource(strings = { "t0.zarr t1.zarr", "t0.zarr t2.zarr t1.zarr --extent same", "t2.zarr t0.zarr --extent full --search -1,-1,900,1050 --undefined nan" })
	void theBestTemplatesAreThoseOfOneProcess(final String words) throws IOException {
		for (int t = 0; t < 3; t++) ByteZarr.write(RandomPixels.image(t, 5 + t / 2, 7), 16, folder.resolve("t" + t + ".zarr"));
		final String command = "correlate plane.zarr " + words + " --best --algorithm cpu-direct-exact -o m.zarr --which ";
		same(command + "w.zarr", "m.zarr", "w.zarr");
		final Map<String, String> stored = ByteZarr.bytes(folder.resolve("m.zarr"));
		assertEquals(0, run(null, command + "w.tif"), err::toString);
		assertEquals(ByteZarr.bytes(folder.resolve("m.zarr")), stored);
	}

	/** Missing pixels, and channels with one joint coefficient. */
	@Test
	void masksAndChannelsAreThoseOfOneProcess() throws IOException {
		final Img<UnsignedByteType> present = RandomPixels.image(new Random(6), 12, plane.dimension(0), plane.dimension(1));
		ByteZarr.write(present, 512, folder.resolve("present.zarr"));
		same("correlate plane.zarr --roi 0,0,16,16 --image-mask present.zarr --min-overlap 0.5 --threads 2 --algorithm cpu-direct-exact -o m.zarr", "m.zarr");
		same("match plane.zarr --roi 20,30,16,16 --image-mask present.zarr --min-score 0.2 -o m.csv", "m.csv");
		for (final String name : List.of("joint.zarr", "template.zarr")) {
			ByteZarr.write(RandomPixels.image(new Random(7), 100, name.startsWith("t") ? new long[] { 9, 8, 2 } : new long[] { 2100, 1060, 2 }),
				new int[] { 512, 512, 2 }, folder.resolve(name).resolve("0"));
			Files.writeString(folder.resolve(name).resolve(".zgroup"), "{\"zarr_format\":2}");
			Files.writeString(folder.resolve(name).resolve(".zattrs"), "{\"multiscales\":[{\"version\":\"0.4\",\"axes\":[{\"name\":\"c\",\"type\":\"channel\"},{\"name\":\"y\",\"type\":\"space\"},"
				+ "{\"name\":\"x\",\"type\":\"space\"}],\"datasets\":[{\"path\":\"0\",\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[1,1,1]}]}]}]}");
		}
		same("correlate joint.zarr template.zarr --channels joint --algorithm cpu-direct-exact -o j.zarr", "j.zarr");
		same("match joint.zarr template.zarr --channels joint --min-score 0.2 -o j.csv", "j.csv");
		assertTrue(Files.readAllLines(folder.resolve("j.csv")).size() > 3, "too few matches to compare");
		same("match joint.zarr template.zarr --channels joint --false-alarms 30 -o j2.csv", "j2.csv");
		same("match joint.zarr template.zarr --channels joint --angles 0:360:60 --false-alarms 30 -o j3.csv", "j3.csv");
		assertTrue(Files.readAllLines(folder.resolve("j.csv")).size() > 3, "too few matches to compare");
	}

	/**
	 * Tiles of 100x420 pixels in two columns, with darker corners. So the gain of links is made even. The last tile shows another scene, so its links are measured
	 * again on their fine details. The mosaic has two rows of chunks.
	 */
	private String tiles() throws IOException {
		return tiles(0.15);
	}

	/** @param shade how much darker the light is at the middle of a border */
	private String tiles(final double shade) throws IOException {
		final MovingTexture scene = new MovingTexture(2, 4), other = new MovingTexture(2, 11);
		final Random random = new Random(9);
		final StringBuilder words = new StringBuilder("stitch");
		for (int i = 0; i < 6; i++) {
			final double left = i % 2 * 70 + 4 * random.nextDouble(), top = i / 2 * 390 + 4 * random.nextDouble();
			final MovingTexture shown = i == 5 ? other : scene;
			final Img<UnsignedByteType> tile = ArrayImgs.unsignedBytes(100, 420);
			LoopBuilder.setImages(Intervals.positions(tile), tile).forEachPixel((p, v) -> {
				final double x = p.getIntPosition(0) / 50.0 - 1, y = p.getIntPosition(1) / 210.0 - 1;
				final double light = (120 + 25 * shown.at(left + p.getIntPosition(0), top + p.getIntPosition(1))) * (1 - shade * (x * x + y * y));
				v.set((int) Math.max(0, Math.min(255, Math.rint(light + random.nextGaussian()))));
			});
			ByteZarr.write(tile, 128, folder.resolve("t" + i + ".zarr"));
			words.append(" t").append(i).append(".zarr");
		}
		return words.toString();
	}

	@ParameterizedTest
	@ValueSource(strings = { "--grid 2x3 --overlap 30",
		"--grid 2x3 --overlap 30 --stage-error 8 --flat-field tiles --dark 3 --interpolation linear --blending max",
		"--interpolation integer --blending first" })
	void mosaicsAreThoseOfOneProcess(final String options) throws IOException {
		same(tiles() + " -o m.zarr --tiles t.csv --links l.csv " + options, "m.zarr", "t.csv", "l.csv");
		final List<String> links = Files.readAllLines(folder.resolve("l.csv"));
		assertTrue(links.stream().filter(l -> l.endsWith(",1,")).count() > 1, () -> "too few links to compare: " + links);
	}

	/** The process that prints it reads no tile. */
	@Test
	void theDoubtOfAFlatFieldComesFromTheProcessesThatReadTheTiles() throws IOException {
		final String words = tiles(0) + " --grid 2x3 --overlap 30 --flat-field tiles --tiles t.csv";
		assertEquals(0, run(new Members(List.of(arguments(words)), Integer.MAX_VALUE), words), err::toString);
		final String doubt = err.toString();
		assertTrue(doubt.contains("the flat field of 6 tiles varies by "), doubt);
		assertEquals(0, run(null, words), err::toString);
		assertEquals(err.toString(), doubt);
	}

	/** Each frame has positions of its own: in the second frame, the second tile lies elsewhere. */
	@ParameterizedTest
	@ValueSource(strings = { "each", "mean", "2" })
	void framesOfMosaicsAreThoseOfOneProcess(final String frame) throws IOException {
		final MovingTexture scene = new MovingTexture(2, 4);
		for (int i = 0; i < 2; i++) {
			final int left = 60 * i;
			final Img<UnsignedByteType> tile = ArrayImgs.unsignedBytes(90, 70, 2);
			LoopBuilder.setImages(Intervals.positions(tile), tile).forEachPixel((p, v) -> v.set((int) Math.rint(120 + 25 * scene.at(left + p.getIntPosition(0)
				+ (left > 0 ? 2.3 * p.getIntPosition(2) : 0), p.getIntPosition(1)))));
			ByteZarr.write(tile, new int[] { 90, 70, 1 }, folder.resolve("f" + i + ".zarr").resolve("0"));
			Files.writeString(folder.resolve("f" + i + ".zarr").resolve(".zgroup"), "{\"zarr_format\":2}");
			Files.writeString(folder.resolve("f" + i + ".zarr").resolve(".zattrs"),
				"{\"multiscales\":[{\"version\":\"0.4\",\"axes\":[{\"name\":\"t\",\"type\":\"time\"},"
				+ "{\"name\":\"y\",\"type\":\"space\"},{\"name\":\"x\",\"type\":\"space\"}],\"datasets\":[{\"path\":\"0\",\"coordinateTransformations\":"
				+ "[{\"type\":\"scale\",\"scale\":[1,1,1]}]}]}]}");
		}
		final String words = "stitch f0.zarr f1.zarr --grid 2x1 --overlap 30 --stage-error 5 --frame " + frame + " -o m.zarr --tiles t.csv";
		final Members members = new Members(List.of(arguments(words)), Integer.MAX_VALUE);
		assertEquals(0, run(members, words), err::toString);
		final Map<String, String> bytes = ByteZarr.bytes(folder.resolve("m.zarr"));
		final String table = Files.readString(folder.resolve("t.csv"));
		Files.move(folder.resolve("m.zarr"), folder.resolve("cluster.zarr"));
		assertEquals(0, run(null, words), err::toString);
		assertEquals(bytes, ByteZarr.bytes(folder.resolve("m.zarr")));
		assertEquals(table, Files.readString(folder.resolve("t.csv")));
		assertEquals(frame.equals("each") ? 5 : 3, table.lines().count());
	}

	/** One process continues the mosaic of a cluster. */
	@Test
	void aLostMosaicContinues() throws IOException {
		final String words = tiles() + " --grid 2x3 --overlap 30 -o m.zarr";
		assertEquals(1, run(new Members(List.of(arguments(words)), 1), words), err::toString);
		assertTrue(err.toString().contains("continues it"), err::toString);
		final Path chunk;
		try (var all = Files.walk(folder.resolve("m.zarr.part/0"))) {
			chunk = all.filter(Files::isRegularFile).findFirst().orElseThrow();
		}
		final FileTime before = Files.getLastModifiedTime(chunk);
		assertEquals(0, run(null, words), err::toString);
		assertEquals(before, Files.getLastModifiedTime(folder.resolve("m.zarr").resolve(folder.resolve("m.zarr.part").relativize(chunk))));
		final Map<String, String> bytes = ByteZarr.bytes(folder.resolve("m.zarr"));
		Files.move(folder.resolve("m.zarr"), folder.resolve("n.zarr"));
		assertEquals(0, run(new Members(List.of(arguments(words)), Integer.MAX_VALUE), words), err::toString);
		assertEquals(bytes, ByteZarr.bytes(folder.resolve("m.zarr")));
	}

	/** Tiles that another process sees otherwise are refused. */
	@Test
	void aMemberRefusesOtherTiles() throws IOException {
		final ClusterTask.Command command = new ClusterTask.Command(List.of(arguments(tiles() + " --tiles t.csv")), folder.toString(), 2, HEAP, "another run");
		assertTrue(assertThrows(IllegalArgumentException.class, () -> ClusterTask.open(command, StitchParts.class)).getMessage().contains("differs"));
		assertTrue(assertThrows(IllegalArgumentException.class, () -> ClusterTask.open(command, WrittenParts.class)).getMessage().contains("differs"));
	}

	@Test
	void convolutionsAreThoseOfOneProcess() throws IOException {
		Files.writeString(folder.resolve("k.txt"), "1 2 1\n2 4 2\n1 2 1\n");
		same("convolve plane.zarr k.txt --algorithm cpu-convolve-direct -o m.zarr", "m.zarr");
	}

	@ParameterizedTest
	@ValueSource(strings = { "plane.zarr --roi 0,0,16,16 --min-score 0.2", "plane.zarr --roi 0,0,16,16 --min-score 0.1 --max-matches 40",
		"volume.zarr --roi 0,0,0,8,8,8 --min-score 0.2",
		"volume.zarr --roi 0,0,9,9 --min-score 0.4 --max-matches 3", "plane.zarr t0.zarr t1.zarr t2.zarr --min-score 0.5",
		"plane.zarr t0.zarr t1.zarr t2.zarr --min-score 0.5 --no-compete",
		"plane.zarr t1.zarr --min-score -1 --max-matches 9 --extent same" })
	void matchesAreThoseOfOneProcess(final String words) throws IOException {
		for (int t = 0; t < 3; t++) ByteZarr.write(RandomPixels.image(t, 5 + t / 2, 7), 16, folder.resolve("t" + t + ".zarr"));
		same("match " + words + " -o m.csv", "m.csv");
		assertTrue(Files.readAllLines(folder.resolve("m.csv")).size() > 3, "too few matches to compare");
	}

	/** Matches lie on the borders of boxes, and templates of two sizes have supports and positions of their own. */
	@ParameterizedTest
	@ValueSource(strings = { "plane.zarr --roi 20,30,17,16 --angles 0:360:30 --min-score 0.4",
		"plane.zarr --roi 20,30,16,16 --angles 0,5 --scales 0.8,1,1.3 --support whole --min-score 0.5 --no-refine",
		"plane.zarr t0.zarr t1.zarr --angles 0:180:45 --scales 1,1.2 --mirrored --min-score 0.5 --no-compete --max-matches 40",
		"plane.zarr t0.zarr t1.zarr --angles 0:360:20 --min-score 0.6 --inside 500,300,1500,700",
		"volume.zarr --roi 5,6,7,8,8,8 --angles uniform:90 --min-score 0.3 --max-matches 20",
		"plane.zarr --roi 20,30,17,16 --angles 0:360:120 --false-alarms 30",
		"stack.zarr t0.zarr --angles 0:360:45 --min-score auto --false-alarms 5" })
	void posesAreThoseOfOneProcess(final String words) throws IOException {
		for (int t = 0; t < 2; t++) ByteZarr.write(RandomPixels.image(t, 9 + 2 * t, 9), 16, folder.resolve("t" + t + ".zarr"));
		// coarser pixels give higher scores, so the frames have minimum scores and plans of their own
		final Img<UnsignedByteType> stack = RandomPixels.image(new Random(8), 200, 300, 200, 3);
		LoopBuilder.setImages(Intervals.positions(stack), stack).forEachPixel((p, v) -> v.set(stack.getAt(p.getIntPosition(0) >> p.getIntPosition(2), p.getIntPosition(1) >> p.getIntPosition(2), 0)));
		ByteZarr.write(stack, 64, folder.resolve("stack.zarr"));
		same("match " + words + " -o m.csv", "m.csv");
		assertTrue(Files.readAllLines(folder.resolve("m.csv")).size() > 3, "too few matches to compare");
	}

	/** In the last case nearly all windows are flat, so that there are too few responses for a fit. */
	@ParameterizedTest
	@ValueSource(strings = { "plane.zarr --roi 0,0,16,16 --false-alarms 0.5", "volume.zarr --roi 0,0,0,8,8,8 --false-alarms 0.01 --max-matches 9",
		"volume.zarr --roi 0,0,9,9 --false-alarms 0.001",
		"plane.zarr t0.zarr t1.zarr t2.zarr --false-alarms 30 --no-compete", "plane.zarr --roi 0,0,16,16 --min-score auto",
		"flat.zarr --roi 1046,526,8,8 --false-alarms 900" })
	void falseAlarmsAreThoseOfOneProcess(final String words) throws IOException {
		for (int t = 0; t < 3; t++) ByteZarr.write(RandomPixels.image(t, 5 + t / 2, 7), 16, folder.resolve("t" + t + ".zarr"));
		final Img<UnsignedByteType> flat = ArrayImgs.unsignedBytes(2100, 1060);
		LoopBuilder.setImages(Views.interval(flat, Intervals.createMinSize(1040, 520, 20, 20)), RandomPixels.image(new Random(5), 200, 20,
			20)).forEachPixel((to, from) -> to.set(from));
		ByteZarr.write(flat, 512, folder.resolve("flat.zarr"));
		same("match " + words + " --algorithm cpu-direct-exact -o m.csv", "m.csv");
		assertEquals(words.startsWith("flat"), out.toString().contains("too few independent responses"), out::toString);
		assertTrue(Files.readAllLines(folder.resolve("m.csv")).size() > 2, "too few matches to compare");
		assertTrue(out.toString().contains("minimum score"), out::toString);
	}

	/** And leaves no file of the lost processes. */
	@Test
	void aLostRunContinues() throws IOException {
		final String words = "correlate plane.zarr --roi 0,0,16,16 --algorithm cpu-direct-exact -o m.zarr";
		assertEquals(1, run(new Members(List.of(arguments(words)), 4), words), err::toString);
		assertTrue(err.toString().contains("continues it"), err::toString);
		assertTrue(Files.exists(folder.resolve("m.zarr.part")));
		assertEquals(0, run(new Members(List.of(arguments(words)), Integer.MAX_VALUE), words), err::toString);
		assertTrue(out.toString().contains("were complete before"), out::toString);
		assertFalse(Files.exists(folder.resolve("m.zarr.part")));
		try (var left = Files.list(folder.resolve("m.zarr"))) {
			assertEquals(List.of(".zattrs", ".zgroup", "0"), left.map(p -> p.getFileName().toString()).sorted().toList());
		}
	}

	/** With equal memory and threads the stamps are equal. */
	@Test
	void oneProcessContinuesTheRunOfACluster() throws IOException {
		final String words = "correlate plane.zarr --roi 0,0,16,16 --threads 2 -o m.zarr";
		assertEquals(1, run(new Members(List.of(arguments(words)), 1, Runtime.getRuntime().maxMemory()), words), err::toString);
		assertEquals(0, run(null, words), err::toString);
		assertTrue(out.toString().contains("were complete before"), out::toString);
	}

	@Test
	void aMemberRefusesAnotherRun() {
		final String words = "correlate plane.zarr --roi 0,0,16,16 -o m.zarr";
		final ClusterTask.Command command = new ClusterTask.Command(List.of(arguments(words)), folder.toString(), 2, HEAP, "another run");
		assertTrue(assertThrows(IllegalArgumentException.class, () -> ClusterTask.open(command, MapParts.class)).getMessage().contains("differs"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "correlate plane.zarr --roi 0,0,16,16 -o m.tif", "correlate plane.zarr --roi 0,0,16,16 --best -o m.zarr --which w.tif", "correlate plane.zarr --roi 0,0,16,16 --around 2 -o m.zarr", "match plane.zarr --roi 0,0,9,9 -o m.csv --overlay o.png",
		"match plane.zarr --roi 0,0,9,9 --angles 0,90 --explain -o m.csv", "match plane.zarr --roi 0,0,9,9 --refine -o m.csv",
		"match plane.zarr --roi 0,0,9,9 --quality -o m.csv", "match plane.zarr --roi 0,0,9,9 --plot-alarms a.png -o m.csv",
		"match plane.zarr --roi 0,0,9,9 --angles 0,90 --pose-list p.csv -o m.csv", "align volume.zarr --explain -o m.zarr",
		"correlate t.txt --roi 0,0,16,16 -o m.zarr", "align plane.zarr -o m.tif", "stitch plane.zarr volume.zarr -o m.tif",
		"stitch plane.zarr volume.zarr -o m.zarr --backend cuda", "stitch plane.zarr volume.zarr -o m.zarr --effort measure",
		"stitch plane.zarr volume.zarr -o m.zarr --algorithm cuda-direct", "motion plane.zarr plane.zarr -o f.csv",
		"align volume.zarr --piecewise 32 --reference previous -o m.zarr",
		"motion volume.zarr --ensemble -o f.csv", "motion t.txt -o f.csv", "stitch plane.zarr volume.zarr -o m.zarr --explain" })
	void refusesWhatNeedsOneProcess(final String words) throws IOException {
		Files.writeString(folder.resolve("t.txt"), "1");
		assertEquals(2, run(new Members(List.of(arguments(words)), 1), words), out::toString);
		assertEquals(1, err.toString().lines().count(), err::toString);
		assertTrue(err.toString().contains("a cluster"), err::toString);
	}
}
