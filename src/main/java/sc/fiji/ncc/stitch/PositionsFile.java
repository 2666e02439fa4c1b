package sc.fiji.ncc.stitch;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import sc.fiji.ncc.result.Mosaic;

/**
 * Files with the positions of tiles: {@code TileConfiguration.txt}, which Fiji's Grid/Collection Stitching reads and writes, and CSV with the columns
 * {@code file,x,y} or {@code file,x,y,z}, or those of the table of tiles, whose further columns are ignored. Positions are in pixels.
 * NaN stands for a tile without a position, and so does the comment that {@link #write} writes for it.
 *
 * @param dimensions 2 or 3
 * @param positions for each name of a file, in the order of the lines; null if it is unknown
 */
public record PositionsFile(int dimensions, Map<String, double[]> positions) {

	private static final String NOT_PLACED = "# not placed: ";
	private static final Pattern TILE = Pattern.compile("([^;]+);[^;]*;\\s*\\(([^)]*)\\)\\s*"), DIMENSIONS = Pattern.compile("dim\\s*=\\s*(\\d+)\\s*");

	/**
	 * Reads the lines of a file.
	 *
	 * @param name the name of the file, for messages
	 * @throws IllegalArgumentException if a line is wrong; the message has its number
	 */
	public static PositionsFile parse(final String name, final List<String> lines) {
		final Map<String, double[]> found = new LinkedHashMap<>();
		int dimensions = 0;
		boolean csv = false, more = false, first = true;
		for (int i = 0; i < lines.size(); i++) {
			final String line = lines.get(i).replace("\uFEFF", "").trim(), where = "line " + (i + 1) + " of " + name;
			if (line.startsWith(NOT_PLACED)) put(found, line.substring(NOT_PLACED.length()), null, where);
			if (line.isEmpty() || line.startsWith("#")) continue;
			final Matcher said = DIMENSIONS.matcher(line), tile = TILE.matcher(line);
			final String[] columns = line.split(",", -1);
			if (first && line.toLowerCase(Locale.ROOT).replaceAll("\\s", "").matches("file,x,y(,z)?|tile,x,y(,.*)?")) {
				csv = true;
				dimensions = columns.length > 3 && columns[3].trim().equalsIgnoreCase("z") ? 3 : 2;
				more = columns[0].trim().equalsIgnoreCase("tile");
			}
			else if (said.matches()) dimensions = Integer.parseInt(said.group(1).length() > 3 ? "999" : said.group(1));
			else {
				final String file = csv ? columns[0].trim() : tile.matches() ? tile.group(1).trim() : null;
				final String[] numbers = csv
					? Arrays.copyOfRange(columns, 1, more ? Math.min(columns.length, 1 + dimensions) : columns.length)
					: tile.matches() ? tile.group(2).split(",", -1) : null;
				if (file == null || file.isEmpty()) throw new IllegalArgumentException(where + " is '" + line + "': give NAME; ; (x, y), or CSV with the head file,x,y");
				if (dimensions == 0) dimensions = numbers.length;
				if (numbers.length != dimensions) throw new IllegalArgumentException(where + " has " + numbers.length
					+ (numbers.length == 1 ? " number" : " numbers") + ", and the others have " + dimensions
					+ ": give one for each dimension");
				put(found, file, numbers(numbers, where), where);
			}
			first = false;
			if (dimensions != 0 && dimensions != 2 && dimensions != 3) throw new IllegalArgumentException(where + " says " + dimensions
				+ " dimensions: give 2 or 3");
		}
		if (found.values().stream().noneMatch(Objects::nonNull)) throw new IllegalArgumentException(name
			+ " has no tile with a position: give NAME; ; (x, y), or CSV with the head file,x,y");
		return new PositionsFile(dimensions, found);
	}

	private static void put(final Map<String, double[]> found, final String file, final double[] position, final String where) {
		if (found.containsKey(base(file))) throw new IllegalArgumentException(where + " has " + file + " a second time: give each tile once");
		found.put(base(file), position);
	}

	/** The position of a tile; null if it is unknown. */
	private static double[] numbers(final String[] texts, final String where) {
		final double[] numbers = new double[texts.length];
		if (Arrays.stream(texts).allMatch(t -> t.trim().equals("NaN"))) return null;
		for (int d = 0; d < numbers.length; d++) {
			try {
				numbers[d] = Double.parseDouble(texts[d].trim());
				if (!Double.isFinite(numbers[d])) throw new NumberFormatException("not finite");
			}
			catch (final NumberFormatException e) {
				throw new IllegalArgumentException("'" + texts[d].trim() + "' in " + where
					+ " is not a number: give a position in pixels, or NaN for each dimension if it is unknown", e);
			}
		}
		return numbers;
	}

	/** The name of a file without its folder. */
	public static String base(final String file) {
		return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
	}

	/**
	 * The positions of tiles; null for those without one.
	 *
	 * @param files the files of the tiles
	 * @param name the name of this file, for messages
	 * @throws IllegalArgumentException if a tile has no position, or a position no tile
	 */
	public List<double[]> of(final List<String> files, final String name) {
		final Map<String, double[]> left = new HashMap<>(positions);
		final List<double[]> all = new ArrayList<>();
		for (final String file : files) {
			final String listed = left.containsKey(file) ? file : base(file);
			if (!left.containsKey(listed)) throw new IllegalArgumentException(name + " has no position for " + base(file)
				+ ": add a line for it, with NaN if it is unknown, or leave out the tile");
			all.add(left.remove(listed));
		}
		left.values().removeIf(Objects::isNull);
		if (!left.isEmpty()) throw new IllegalArgumentException(name + " has a position for " + left.keySet().stream().sorted().findFirst().orElseThrow()
			+ ", which is not among the tiles: add the tile, or remove the line");
		return all;
	}

	/** Writes the positions of tiles as {@code TileConfiguration.txt}. Tiles without a position are comments. */
	public static void write(final Mosaic mosaic, final Writer to) throws IOException {
		final int dimensions = mosaic.dimensions();
		to.write("# Define the number of dimensions we are working on\ndim = " + dimensions + "\n\n# Define the image coordinates\n");
		for (final Mosaic.Placed tile : mosaic.tiles()) {
			final double[] p = tile.position();
			if (p == null) to.write(NOT_PLACED + base(tile.name()) + "\n");
			else to.write(base(tile.name()) + "; ; (" + String.format(Locale.ROOT, dimensions == 2 ? "%.4f, %.4f" : "%.4f, %.4f, %.4f", p[0], p[1],
				p.length > 2 ? p[2] : 0) + ")\n");
		}
	}
}
