package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import ij.IJ;
import ij.ImagePlus;
import ij.process.ByteProcessor;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.scijava.command.Command;
import org.scijava.command.CommandInfo;
import org.scijava.command.CommandModule;
import org.scijava.log.LogLevel;
import org.scijava.log.LogListener;
import org.scijava.log.LogService;
import org.scijava.module.ModuleItem;

/** A successful command writes no warning and no error: Fiji would open its console for it. Each command runs once. */
class QuietCommandsTest extends InSciJava {

	/** Samples are shown, and there are no windows here. */
	private static final String NO_WINDOWS = "there are no windows";

	/**
	 * What the status bar says, for each command that says something: a result. Fiji's search box covers all but about 60 characters, and
	 * titles of images can be long.
	 */
	private static final Map<Class<? extends Command>, String> STATUS = Map.ofEntries(
		Map.entry(NormalizedCrossCorrelationCommand.class, "cpu-[a-z-]+, [0-9.e-]+ s"),
		Map.entry(ConvolveImageCommand.class, "cpu-[a-z-]+, [0-9.e-]+ s"),
		Map.entry(FindMatchesCommand.class, "1 match, cpu-[a-z-]+, [0-9.e-]+ s"),
		Map.entry(FindRotatedMatchesCommand.class, "1 match, 2 poses, cpu-[a-z-]+, [0-9.e-]+ s"),
		Map.entry(TrackTemplatesCommand.class, "1 template in 3 frames, never lost, [0-9.e-]+ s"),
		Map.entry(CorrectDriftCommand.class, "largest shift [0-9., ]+pixels"),
		Map.entry(CorrectMotionCommand.class, "largest shift [0-9., ]+ and deformation [0-9., ]+ pixels"),
		Map.entry(ApplyDriftCommand.class, "3 frames are corrected"),
		Map.entry(RegisterImagesCommand.class, "(doubtful )?shift [0-9., -]+ pixels, score [0-9.]+"),
		Map.entry(MotionFieldCommand.class, "[0-9]+ of [0-9]+ vectors are valid, [0-9.e-]+ s"),
		Map.entry(StitchTilesCommand.class, "2 tiles, 1 of 1 links used, RMS residual [0-9.]+ pixels"),
		Map.entry(ReportPlanCommand.class, "map of 292x192 pixels with 32 bits: 0.2 MB"));
	private static final int SHOWN = 60;

	@TempDir
	Path folder;

	private Map<Class<? extends Command>, Object[]> runs() {
		final Img<UnsignedByteType> plane = noise(60, 50), other = noise(60, 50);
		final Img<UnsignedByteType> stack = ArrayImgs.unsignedBytes(60, 50, 3);
		for (int t = 0; t < 3; t++) for (int y = 0; y < 50; y++) for (int x = 0; x < 60; x++) stack.getAt(x, y, t).set(plane.getAt((x + t) % 60, y));
		final String drift = folder.resolve("drift.json").toString();
		final Map<Class<? extends Command>, Object[]> runs = new LinkedHashMap<>();
		runs.put(NormalizedCrossCorrelationCommand.class, new Object[] { "image", plane, "template", cut(plane, 7, 5, 6, 4) });
		runs.put(FindMatchesCommand.class, new Object[] { "image", plane, "template", cut(plane, 7, 5, 6, 4), "minscore", 0.9 });
		runs.put(FindRotatedMatchesCommand.class, new Object[] { "image", plane, "template", cut(plane, 7, 5, 9, 9), "angles", "0,90", "minscore", "0.9" });
		runs.put(TrackTemplatesCommand.class, new Object[] { "image", stack, "roi", "12,10,9,8", "plot", false });
		runs.put(ConvolveImageCommand.class, new Object[] { "image", plane, "kernel", cut(plane, 7, 5, 3, 3) });
		runs.put(CorrectDriftCommand.class, new Object[] { "image", stack, "transforms", drift, "plot", false });
		runs.put(CorrectMotionCommand.class, new Object[] { "image", stack, "piecewise", "16", "plot", false });
		// after Correct Drift, which writes the transforms
		runs.put(ApplyDriftCommand.class, new Object[] { "image", stack, "transforms", drift });
		runs.put(RegisterImagesCommand.class, new Object[] { "fixed", plane, "moving", other });
		runs.put(StitchTilesCommand.class, new Object[] { "folder", tiles(plane).toString(), "grid", "2x1", "overlap", "20", "graph", false });
		runs.put(MotionFieldCommand.class, new Object[] { "image", stack, "window", "16", "passes", 2, "quiver", false, "derived", true });
		runs.put(ReportPlanCommand.class, new Object[] { "image", "300x200", "template", "9x9" });
		for (final Class<? extends Command> sample : List.of(ListDevicesCommand.class, CoinsSampleCommand.class, RotatedCoinsSampleCommand.class,
			DriftSampleCommand.class)) runs.put(sample, new Object[0]);
		return runs;
	}

	/** A folder with two tiles of an image. */
	private Path tiles(final Img<UnsignedByteType> plane) {
		final Path tiles = folder.resolve("tiles");
		assertTrue(tiles.toFile().mkdir());
		for (int i = 0; i < 2; i++) {
			final ByteProcessor tile = new ByteProcessor(40, 50);
			for (int k = 0; k < 2000; k++) tile.set(k, plane.getAt(20 * i + k % 40, k / 40).get());
			IJ.saveAsTiff(new ImagePlus("", tile), tiles.resolve(i + ".tif").toString());
		}
		return tiles;
	}

	@Test
	void noCommandWarns() throws Exception {
		final List<String> said = Collections.synchronizedList(new ArrayList<>());
		final LogListener listener = message -> {
			if (message.level() <= LogLevel.WARN && !message.text().contains(NO_WINDOWS)) said.add(message.text());
		};
		final LogService log = context.service(LogService.class);
		final Map<Class<? extends Command>, Object[]> runs = runs();
		final Set<String> commandsHere = new TreeSet<>();
		for (final CommandInfo info : commands.getCommands()) if (info.getClassName()
			.startsWith(NccCommand.class.getPackageName())) commandsHere.add(info.getClassName());
		final Set<String> ran = new TreeSet<>();
		log.addLogListener(listener);
		try {
			for (final Map.Entry<Class<? extends Command>, Object[]> run : runs.entrySet()) {
				final CommandModule module = run(run.getKey(), run.getValue());
				assertFalse(module.isCanceled(), () -> run.getKey() + ": " + module.getCancelReason());
				for (final ModuleItem<?> output : module.getInfo().outputs()) assertFalse(output.getValue(module) == null, run.getKey() + " " + output.getName());
				assertEquals(List.of(), said, run.getKey().getName());
				final String status = ((NccCommand) module.getCommand()).summary();
				assertTrue(status.length() <= SHOWN && status.matches(STATUS.getOrDefault(run.getKey(), "")), status);
				ran.add(run.getKey().getName());
			}
		}
		finally {
			log.removeLogListener(listener);
		}
		assertEquals(commandsHere, ran);
	}
}
