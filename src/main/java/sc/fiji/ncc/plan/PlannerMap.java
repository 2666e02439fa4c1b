package sc.fiji.ncc.plan;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;

import sc.fiji.ncc.plan.Ranking.Candidate;

/** The quickest method for every size of image and template, as in figures 3 and 4 of Papamakarios, Rizos, Pitsianis, FLCC. */
public final class PlannerMap {

	/** Steps to each doubling of a side. */
	public static final int POWERS_OF_TWO = 1, EIGHTHS = 8;

	private static final int LEAST_IMAGE = 32, MOST_IMAGE = 4096, LEAST_TEMPLATE = 2, MOST_TEMPLATE = 256;
	private static final String HEAD = "image,template,algorithm,predicted_s,measured_s", LINE = "\r\n";

	private final long[] images, templates;
	private final Ranking[][] rankings;

	private PlannerMap(final long[] images, final long[] templates) {
		this.images = images;
		this.templates = templates;
		rankings = new Ranking[images.length][templates.length];
	}

	/** Says what is best for one image side and one template side. */
	public interface Chooser {
		Ranking rank(long image, long template);
	}

	/**
	 * Asks for all sizes.
	 *
	 * @param steps to each doubling of a side
	 * @param monitor hears of each size, and may cancel between two
	 */
	public static PlannerMap of(final int steps, final Chooser chooser, final Monitor monitor) {
		final PlannerMap map = new PlannerMap(sides(LEAST_IMAGE, MOST_IMAGE, steps), sides(LEAST_TEMPLATE, MOST_TEMPLATE, steps));
		monitor.total((long) map.images.length * map.templates.length);
		// the largest first: after them all code is compiled, which small ones are too short to wait for
		for (int i = map.images.length - 1; i >= 0; i--)
			for (int t = 0; t < map.templates.length; t++) {
				if (monitor.canceled()) throw new CancellationException("interrupted");
				if (map.templates[t] <= map.images[i]) map.rankings[i][t] = chooser.rank(map.images[i], map.templates[t]);
				monitor.done(1);
			}
		return map;
	}

	/** Whole numbers in equal ratios, as nearly as can be; each once. */
	public static long[] sides(final long least, final long most, final int steps) {
		final Set<Long> sides = new LinkedHashSet<>();
		for (int i = 0;; i++) {
			final long side = Math.round(least * Math.pow(2, (double) i / steps));
			if (side > most) return sides.stream().mapToLong(s -> s).toArray();
			sides.add(side);
		}
	}

	public long[] images() {
		return images.clone();
	}

	public long[] templates() {
		return templates.clone();
	}

	/** The quickest method by the places of both sides in their lists; empty where the template does not fit. */
	public Optional<Candidate> quickest(final int image, final int template) {
		return Optional.ofNullable(rankings[image][template]).flatMap(Ranking::fastest);
	}

	/** The methods that are the quickest anywhere, in the order of their names, and for how many sizes. */
	public Map<String, Integer> winners() {
		final Map<String, Integer> count = new TreeMap<>();
		for (int i = 0; i < images.length; i++)
			for (int t = 0; t < templates.length; t++) quickest(i, t).ifPresent(c -> count.merge(c.name(), 1, Integer::sum));
		return count;
	}

	/** All methods for such problems, whether they win or not, so that a method has the same colour in each map of them. */
	public List<String> methods() {
		final Set<String> names = new TreeSet<>();
		for (final Ranking[] column : rankings)
			for (final Ranking r : column)
				if (r != null) r.candidates().stream().filter(Candidate::applies).forEach(c -> names.add(c.name()));
		return List.copyOf(names);
	}

	/** A row for each size and method that applies, the quickest of a size first. A time that was not measured is left empty. */
	public void write(final Writer to) throws IOException {
		to.write(HEAD + LINE);
		for (int i = 0; i < images.length; i++)
			for (int t = 0; t < templates.length; t++)
				for (final Candidate c : inOrder(rankings[i][t]))
					to.write(images[i] + "," + templates[t] + "," + c.name() + "," + (float) c.plan().cost().seconds() + ","
						+ (c.measured().isPresent() ? (float) c.measured().getAsDouble() : "") + LINE);
	}

	private static List<Candidate> inOrder(final Ranking ranking) {
		if (ranking == null) return List.of();
		final List<Candidate> all = new ArrayList<>(ranking.candidates().stream().filter(Candidate::applies).toList());
		final Candidate first = ranking.fastest().orElse(null);
		all.sort(Comparator.comparing((Candidate c) -> c != first).thenComparingDouble(Candidate::seconds));
		return all;
	}

	/** For how many sizes each method is the quickest; and how good the cost models' choice is where there are times to compare. */
	public List<String> summary() {
		final Map<String, Integer> winners = winners();
		final int sizes = winners.values().stream().mapToInt(Integer::intValue).sum();
		final List<String> lines = new ArrayList<>();
		winners.forEach((name, n) -> lines.add(String.format(Locale.ROOT, "%-18s the quickest for %d of %d sizes", name, n, sizes)));
		final Map<String, Double> regrets = regrets();
		if (regrets.isEmpty()) return lines;
		final double[] times = regrets.values().stream().mapToDouble(Double::doubleValue).sorted().toArray();
		final Map.Entry<String, Double> worst = Collections.max(regrets.entrySet(), Map.Entry.comparingByValue());
		lines.add(String.format(Locale.ROOT, "what the cost models alone would choose takes %.2f times the least time in the median, %.2f at worst (%s)",
			times[times.length / 2], worst.getValue(), worst.getKey()));
		return lines;
	}

	/** By size, how many times the least measured time the method takes that is predicted to be the quickest. */
	private Map<String, Double> regrets() {
		final Map<String, Double> regrets = new LinkedHashMap<>();
		for (int i = 0; i < images.length; i++)
			for (int t = 0; t < templates.length; t++) {
				final List<Candidate> all = inOrder(rankings[i][t]);
				final Optional<Candidate> predicted = all.stream().min(Comparator.comparingDouble(c -> c.plan().cost().seconds()));
				if (predicted.isPresent() && predicted.get().measured().isPresent())
					regrets.put("image " + images[i] + ", template " + templates[t], predicted.get().measured().getAsDouble() / all.get(0).seconds());
			}
		return regrets;
	}
}
