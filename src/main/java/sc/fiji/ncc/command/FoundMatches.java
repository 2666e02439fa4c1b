package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Space;
import sc.fiji.ncc.command.program.Table;
import sc.fiji.ncc.result.Match;

/** Matches as people see them: rows of a table, and boxes on the image. */
final class FoundMatches {

	/** The longest name of a template beside a box. */
	private static final int LONGEST = 16;
	private static final int SCORE_DECIMALS = 6;
	private static final String[] XYZ = { "X", "Y", "Z" };

	private final List<Match> matches;
	private final List<NamedTemplate> templates;
	private final String axes;
	private final String image;
	private final Space space;
	private final boolean subpixel;
	private final int dimensions;

	/**
	 * @param axes of the image that was searched, the templates' dimensions in front
	 * @param image its name
	 * @param subpixel whether refined positions count
	 */
	FoundMatches(final List<Match> matches, final List<NamedTemplate> templates, final String axes, final String image, final Space space,
		final boolean subpixel)
	{
		this.matches = matches;
		this.templates = templates;
		this.axes = axes;
		this.image = image;
		this.space = space;
		this.subpixel = subpixel;
		dimensions = templates.get(0).pixels().numDimensions();
	}

	/**
	 * A row for each match. Channel, slice and frame count from 1, as in ImageJ; pixels from 0. X, Y, Z is the window's first pixel, Center its
	 * middle, Subpixel the first pixel's refined place, Calibrated the refined middle in the image's unit.
	 */
	Table table() {
		final List<String> columns = new ArrayList<>(List.of("Image", "Channel", "Slice", "Frame", "Template", "Score"));
		for (final String group : groups()) for (int d = 0; d < dimensions; d++) columns.add(group + XYZ[d]);
		columns.add("Unit");
		final Table table = new Table(FrontEnd.RESULTS, columns.toArray(new String[0]));
		table.decimals("Score", SCORE_DECIMALS);
		for (int d = 0; d < dimensions; d++) table.decimals("Calibrated" + XYZ[d], decimals(space.size()[d]));
		for (final Match m : matches) {
			final List<Object> row = new ArrayList<>(List.of(image, place('c', m) + 1, place('z', m) + 1, place('t', m) + 1,
				templates.get(m.template()).name(), m.score()));
			for (final long p : m.position()) row.add(p);
			for (final double p : middle(m, asDoubles(m.position()))) row.add(p);
			if (subpixel) for (final double p : m.subpixel()) row.add(p);
			for (final double p : space.of(middle(m, subpixel ? m.subpixel() : asDoubles(m.position())))) row.add(p);
			row.add(space.unit());
			table.row(row.toArray());
		}
		return table;
	}

	/** Of places in the world that are known to hundredths of a pixel of this size. */
	static int decimals(final double pixel) {
		return (int) Math.max(3, 2 + Math.ceil(-Math.log10(pixel)));
	}

	private List<String> groups() {
		return subpixel ? List.of("", "Center", "Subpixel", "Calibrated") : List.of("", "Center", "Calibrated");
	}

	/** In ImageJ's coordinates, in which a pixel's own middle lies half a pixel from its place. */
	private double[] middle(final Match m, final double[] first) {
		final double[] middle = first.clone();
		for (int d = 0; d < dimensions; d++) {
			final long size = templates.get(m.template()).pixels().dimension(d);
			// planes have no thickness that positions between them could count from
			middle[d] += d < 2 ? size / 2.0 : (size - 1) / 2.0;
		}
		return middle;
	}

	private static double[] asDoubles(final long[] position) {
		return Arrays.stream(position).asDoubleStream().toArray();
	}

	/** The position of a match along an axis, from 0. */
	private long place(final char axis, final Match m) {
		final int d = axes.indexOf(axis);
		return d < 2 ? 0 : d < dimensions ? m.position()[d] : m.frame()[d - dimensions];
	}

	/** A box for each match. */
	List<Box> boxes() {
		return matches.stream().map(this::box).collect(Collectors.toList());
	}

	private Box box(final Match m) {
		final long[] size = templates.get(m.template()).pixels().dimensionsAsLongArray();
		final String label = String.format(Locale.ROOT, "%.2f", m.score());
		return new Box(templates.size() == 1 ? label : shortened(templates.get(m.template()).name()) + " " + label, m.template(), (int) m.position()[0],
			(int) m.position()[1], (int) size[0], (int) size[1], (int) place('c', m), (int) place('z', m), (int) place('t', m), extent('c', size),
			extent('z', size), extent('t', size));
	}

	/** Of a template along an axis; 1 along those that are frames to it. */
	private int extent(final char axis, final long[] template) {
		final int d = axes.indexOf(axis);
		return d >= 2 && d < dimensions ? (int) template[d] : 1;
	}

	/** The name of an image or a region, as it stands beside a box. */
	static String shortened(final String title) {
		final String name = title.replaceFirst("\\.[A-Za-z0-9]{1,4}$", "");
		return name.length() <= LONGEST ? name : name.substring(0, LONGEST - 1) + "\u2026";
	}
}
