package sc.fiji.ncc.bench.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import sc.fiji.ncc.document.DocumentTable;

/** The side of the template from which on a Fourier method is faster than the direct ones: N_T in Papamakarios, Rizos, Pitsianis, FLCC, Table II. */
final class Crossovers {

	private Crossovers() {}

	/** @param times of {@code FastestBySize} */
	static DocumentTable of(final DocumentTable times) {
		final DocumentTable crossovers = new DocumentTable(times.origin(), "operation", "type", "image", "side");
		final Map<List<String>, TreeMap<Integer, double[]>> series = new TreeMap<>((a, b) -> String.join(",", a).compareTo(String.join(",", b)));
		for (final Map<String, String> row : times.rows()) {
			final List<String> key = List.of(row.get("operation"), row.get("type"), String.format("%6s", row.get("image")));
			final double[] least = series.computeIfAbsent(key, k -> new TreeMap<>()).computeIfAbsent(Integer.parseInt(row.get("template")),
				k -> new double[] { Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY });
			final int kind = row.get("method").contains("direct") ? 0 : row.get("method").contains("fourier") ? 1 : -1;
			if (kind >= 0) least[kind] = Math.min(least[kind], Double.parseDouble(row.get("ms")));
		}
		series.forEach((key, bySide) -> crossovers.row(key.get(0), key.get(1), key.get(2).strip() + "x" + key.get(2).strip(), side(bySide)));
		return crossovers;
	}

	/** Where the logarithm of the ratio, over that of the side, is zero for the last time. */
	private static String side(final TreeMap<Integer, double[]> times) {
		final List<Integer> sides = new ArrayList<>(times.keySet());
		int last = -1;
		for (int i = 0; i < sides.size(); i++) if (times.get(sides.get(i))[0] <= times.get(sides.get(i))[1]) last = i;
		if (last < 0) return "below " + sides.get(0);
		if (last == sides.size() - 1) return "above " + sides.get(last);
		final double[] slow = times.get(sides.get(last)), fast = times.get(sides.get(last + 1));
		final double before = Math.log(slow[0] / slow[1]), after = Math.log(fast[0] / fast[1]);
		return String.format(Locale.ROOT, "%.1f", sides.get(last) * Math.pow((double) sides.get(last + 1) / sides.get(last), -before / (after - before)));
	}
}
