package sc.fiji.ncc.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

import sc.fiji.ncc.cli.input.FailureReason;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.front.FileOrder;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.stitch.PositionsFile;
import sc.fiji.ncc.stitch.StagePositions;
import sc.fiji.ncc.stitch.Tile;
import sc.fiji.ncc.stitch.TilePattern;

/**
 * The files of the tiles of a mosaic. They are all opened once before anything is computed, and read again when their pixels are used.
 *
 * @param names the files, in order
 * @param pattern the pattern that found them; null without one
 */
record TileFiles(List<String> names, TilePattern pattern) {

	/**
	 * Finds the files.
	 *
	 * @param arguments files in order; or one folder; or one pattern with {x} and {y}
	 * @throws IllegalArgumentException if there are fewer than two files
	 */
	static TileFiles of(final List<String> arguments) {
		final String first = arguments.get(0);
		final boolean pattern = arguments.size() == 1 && !Files.exists(ImageFiles.path(first)) && TilePattern.is(PositionsFile.base(first));
		if (arguments.size() == 1 && !pattern && !Files.exists(ImageFiles.path(first))) throw new IllegalArgumentException("there is no file or folder " + first
			+ ": check its name");
		final List<String> names = pattern ? matching(first) : arguments.size() == 1 && InputFrames.folder(first) ? InputFrames.files(first, List.of()) : arguments;
		if (names.size() < 2) throw new IllegalArgumentException("a mosaic needs at least two tiles, and " + first + " is " + (pattern ? names.size() == 1
			? "a pattern of one file" : "a pattern of no file" : "one file") + ": give more files, a folder, or a pattern such as tile_{y}_{x}.tif");
		return new TileFiles(List.copyOf(names), pattern ? new TilePattern(PositionsFile.base(first)) : null);
	}

	private static List<String> matching(final String text) {
		final TilePattern pattern = new TilePattern(PositionsFile.base(text));
		final Path folder = ImageFiles.path(text).toAbsolutePath().getParent();
		if (!Files.isDirectory(folder)) throw new IllegalArgumentException("there is no folder " + folder + " for the pattern " + text + ": check its name");
		return FailureReason.tried("read the folder " + folder, () -> {
			try (Stream<Path> all = Files.list(folder)) {
				return all.filter(p -> pattern.place(p.getFileName().toString()).isPresent()).map(Path::toString).sorted(FileOrder.BY_NUMBERS).toList();
			}
		});
	}

	/** The names of the tiles: those of their files without folders, if these differ. */
	private List<String> shown() {
		final List<String> bases = names.stream().map(PositionsFile::base).toList();
		return new HashSet<>(bases).size() == bases.size() ? bases : names;
	}

	/** The positions of the stage in the metadata of the files. */
	PositionsFile stagePositions() {
		final List<StagePositions.Metadata> all = new ArrayList<>();
		final List<String> shown = shown();
		int dimensions = 2;
		for (int i = 0; i < names.size(); i++) {
			final String name = names.get(i);
			final InputImage image = ImageFiles.read(name);
			if (image.axes().indexOf('z') >= 0) dimensions = 3;
			all.add(new StagePositions.Metadata(shown.get(i), ImageFiles.description(name), image.calibration().origin()));
		}
		return StagePositions.of(all, dimensions);
	}

	/**
	 * Opens all tiles.
	 *
	 * @param first the first tile
	 * @param dimensions the number of spatial dimensions
	 */
	List<Tile> open(final InputImage first, final int dimensions) {
		final List<Tile> tiles = new ArrayList<>();
		final List<String> shown = shown();
		for (final String name : names) {
			final InputImage image = ImageFiles.read(name);
			if (!image.axes().equals(first.axes())) throw new IllegalArgumentException(name + " has the axes " + image.axes() + ", and " + names.get(0) + " has "
				+ first.axes() + ": give tiles with the same axes");
			final InputImage spatial = image.spatialFirst(dimensions);
			tiles.add(new Tile(shown.get(tiles.size()), ImagePixels.type(spatial.pixels()),
				spatial.pixels().dimensionsAsLongArray(), () -> ImageFiles.read(name).spatialFirst(dimensions).pixels(), null));
		}
		return tiles;
	}
}
