package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.ZarrImages;
import sc.fiji.ncc.cli.map.DiskSpace;
import sc.fiji.ncc.cli.map.MapFiles;
import sc.fiji.ncc.cli.map.MapWriter;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.parts.MapParts;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.store.ZarrMap;

/**
 * {@code ncc correlate --best}: the greatest coefficient of all templates at each lag, and the number of its template. Zarr folders are written part by part.
 *
 * @param cluster what computes; null for this process
 * @param picture null for no 8-bit picture
 * @param which null for no numbers
 */
record BestOfTemplates(Terminal program, Cluster cluster, CommonOptions common, String output, String picture, String which) {

	/** Numbers of templates have at most 16 bits. */
	private static final int MAX_TEMPLATES = 65_535, MAX_BYTE = 255;

	/** @throws IllegalArgumentException if the options contradict each other */
	void check() {
		if (common.templates.size() > MAX_TEMPLATES) throw new IllegalArgumentException(common.templates.size() + " templates for --best: give at most " + MAX_TEMPLATES);
		if (picture != null && ZarrImages.isZarr(output))
			throw new IllegalArgumentException("--picture " + picture + " needs a map in a file, and " + output
				+ " is a Zarr folder: leave --picture out, or write the map as .tif");
		if (which == null) return;
		StackWriter.requireName("--which", which);
		if (ZarrImages.isZarr(which) && !ZarrImages.isZarr(output))
			throw new IllegalArgumentException("--which " + which + " is a Zarr folder, and the map " + output + " is not: give both names the same ending");
		if (cluster != null) ClusterTask.requireZarrMap(which);
	}

	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		if (ZarrImages.isZarr(output) && (which == null || ZarrImages.isZarr(which))) folders(outputs, progress);
		else inMemory(outputs, progress);
	}

	private List<String> names() {
		return which == null ? List.of(output) : List.of(output, which);
	}

	private void folders(final Outputs outputs, final ProgressBar progress) throws IOException {
		final MapFiles maps = new MapFiles(program, outputs, progress, names(), null, common.files());
		maps.make(folders(common.read(progress)));
	}

	private MapFiles.Folders folders(final CommonOptions.Inputs inputs) {
		final NormalizedCrossCorrelation op = inputs.correlation();
		final RandomAccessibleInterval<?> image = inputs.image().pixels();
		final MapShape shape = op.mapShapes(image).get(0);
		final List<ZarrMap.Layout> layouts = new ArrayList<>(List.of(ZarrImages.layout(inputs.image(), inputs.dimensions(), shape, common.precision)));
		if (which != null) layouts.add(ZarrImages.layout(inputs.image(), inputs.dimensions(), shape,
			inputs.templates().size() > MAX_BYTE ? PixelType.U16 : PixelType.U8));
		final MapFiles.Parts parts = (stores, identity) -> cluster == null ? op.bestInto(image, stores.get(0), which == null ? null : stores.get(1))
			: ClusterTask.respond(cluster, op.bestParts(image, stores), Collections.nCopies(stores.size(), shape), identity);
		return new MapFiles.Folders(layouts, stores -> op.explainBest(image, stores), parts, rankings -> "best\n" + common.identity(inputs, rankings),
			cluster != null, common.planning.explain);
	}

	/** The maps for a process of a cluster. */
	MapParts parts(final ClusterTask.Command command) throws IOException {
		final CommonOptions.Inputs inputs = common.read(Monitor.NONE);
		ClusterTask.requireSame(command, common.lines(inputs));
		return inputs.correlation().bestParts(inputs.image().pixels(),
			MapFiles.shared(folders(inputs).layouts(), names().stream().map(command::resolve).toList(), command.identity()));
	}

	private void inMemory(final Outputs outputs, final ProgressBar progress) throws IOException {
		final Path map = MapFiles.promise(outputs, output, picture, common.files());
		final Path gray = outputs.promise(picture, common.files());
		final Path numbers = outputs.promise(which, common.files());
		final CommonOptions.Inputs inputs = common.read(progress);
		final InputImage image = inputs.image();
		final MapShape shape = inputs.correlation().mapShapes(image.pixels()).get(0);
		final MapWriter writer = new MapWriter(shape.size(), image.axes(), output, picture, common.precision, true);
		DiskSpace.require(output, map, MapWriter.bytes(shape.size(), common.precision, picture != null), DiskSpace.PART);
		final Best found = inputs.correlation().best(image.pixels());
		progress.close();
		common.planning.explain(found.rankings(), program.out());
		if (!ZarrImages.isZarr(output)) writer.write(found.image(), found.origin(), image.calibration(), outputs, map, gray);
		if (numbers != null) writer.writeNumbers(found.template(), found.origin(), image.calibration(), outputs, numbers);
		outputs.requireUnchanged();
		if (ZarrImages.isZarr(output)) new StackWriter(image, found.origin(), common.planning.threads(), progress.cancelOnly())
			.image(found.image(), outputs, map, null);
		outputs.commit();
		program.out().println(MapFiles.summary(found.report(), found.rankings(), found.seconds()) + Outputs.wrote(output, picture, which));
	}
}
