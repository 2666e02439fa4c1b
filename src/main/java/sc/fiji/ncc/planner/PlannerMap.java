package sc.fiji.ncc.planner;

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

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * The fastest method for every size of image and template, as in figures 3 and 4 of Papamakarios, Rizos and Pitsianis, <i>FLCC: a library for fast
 * computation of convolution and local correlation coefficients</i>.
 */
public final class PlannerMap {

	/** Steps for each doubling of a side. */
	public static final int POWERS_OF_TWO = 1, EIGHTHS = 8;

	private static final int MIN_IMAGE = 32, MAX_IMAGE = 4096, MIN_TEMPLATE = 2, MAX_TEMPLATE = 256;
	private static final String HEAD = "image,template,algorithm,predicted_s,measured_s", LINE = "\r\n";

	private final long[] images, templates;
	private final Ranking[][] rankings;

	private PlannerMap(final long[] images, final long[] templates) {
		this.images = images;
		this.templates = templates;
		rankings = new Ranking[images.length][templates.length];
	}

	/** Ranks the methods for one image side and one template side, in pixels. */
	public interface Chooser {
		Ranking rank(long image, long template);
	}

	/**
	 * Ranks the methods for all pairs of sides.
	 *
	 * @param steps the number of steps for each doubling of a side
	 * @param monitor receives the progress, and can cancel between two pairs
	 */
	public static PlannerMap of(final int steps, final Chooser chooser, final Monitor monitor) {
		final PlannerMap map = new PlannerMap(sides(MIN_IMAGE, MAX_IMAGE, steps), sides(MIN_TEMPLATE, MAX_TEMPLATE, steps));
		monitor.total((long) map.images.length * map.templates.length);
		// the largest images first: they let the compiler finish, which small images are too short for
		for (int i = map.images.length - 1; i >= 0; i--)
			for (int t = 0; t < map.templates.length; t++) {
				monitor.requireNotCanceled();
				if (map.templates[t] <= map.images[i]) map.rankings[i][t] = chooser.rank(map.images[i], map.templates[t]);
				monitor.done(1);
			}
		return map;
	}

	/** Integers in approximately equal ratios from {@code min} to at most {@code max}, without repeats. */
	public static long[] sides(final long min, final long max, final int steps) {
		final Set<Long> sides = new LinkedHashSet<>();
		for (int i = 0;; i++) {
			final long side = Math.round(min * Math.pow(2, (double) i / steps));
			if (side > max) return sides.stream().mapToLong(s -> s).toArray();
			sides.add(side);
		}
	}

	/** The sides of the images in pixels, ascending. */
	public long[] images() {
		return images.clone();
	}

	/** The sides of the templates in pixels, ascending. */
	public long[] templates() {
		return templates.clone();
	}

	/** The fastest method for an image side and a template side, given by their indices in the lists. Empty if the template is larger than the image. */
	public Optional<Candidate> fastest(final int image, final int template) {
		return Optional.ofNullable(rankings[image][template]).flatMap(Ranking::fastest);
	}

	/** The methods that are the fastest for at least one pair of sizes, in alphabetical order, each with the number of such pairs. */
	public Map<String, Integer> winners() {
		final Map<String, Integer> count = new TreeMap<>();
		for (int i = 0; i < images.length; i++)
			for (int t = 0; t < templates.length; t++) fastest(i, t).ifPresent(c -> count.merge(c.name(), 1, Integer::sum));
		return count;
	}

	/** All methods that apply, whether they are the fastest anywhere or not. Thus a method has the same colour in all maps of one kind of problem. */
	public List<String> methods() {
		final Set<String> names = new TreeSet<>();
		for (final Ranking[] column : rankings)
			for (final Ranking r : column)
				if (r != null) r.candidates().stream().filter(Candidate::applies).forEach(c -> names.add(c.name()));
		return List.copyOf(names);
	}

	/** Writes CSV: one row for each size and applicable method, the fastest of a size first. A time that was not measured is empty. */
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
		final List<Candidate> candidates = new ArrayList<>(ranking.candidates().stream().filter(Candidate::applies).toList());
		final Candidate first = ranking.fastest().orElse(null);
		candidates.sort(Comparator.comparing((Candidate c) -> c != first).thenComparingDouble(Candidate::seconds));
		return candidates;
	}

	/** For each method the number of sizes for which it is the fastest. With measured times also the quality of the cost models' choice. */
	public List<String> summary() {
		final Map<String, Integer> winners = winners();
		final int sizes = winners.values().stream().mapToInt(Integer::intValue).sum();
		final List<String> lines = new ArrayList<>();
		winners.forEach((name, n) -> lines.add(String.format(Locale.ROOT, "%-23s the fastest for %d of %d sizes", name, n, sizes)));
		final Map<String, Double> regrets = regrets();
		if (regrets.isEmpty()) return lines;
		final double[] times = regrets.values().stream().mapToDouble(Double::doubleValue).sorted().toArray();
		final Map.Entry<String, Double> worst = Collections.max(regrets.entrySet(), Map.Entry.comparingByValue());
		lines.add(String.format(Locale.ROOT, "the cost models' choice takes %.2f times the shortest time in the median, %.2f at worst (%s)",
			times[times.length / 2], worst.getValue(), worst.getKey()));
		return lines;
	}

	/** By size: the measured time of the method with the shortest predicted time, divided by the shortest measured time. */
	private Map<String, Double> regrets() {
		final Map<String, Double> regrets = new LinkedHashMap<>();
		for (int i = 0; i < images.length; i++)
			for (int t = 0; t < templates.length; t++) {
				final List<Candidate> candidates = inOrder(rankings[i][t]);
				final Optional<Candidate> predicted = candidates.stream().min(Comparator.comparingDouble(c -> c.plan().cost().seconds()));
				if (predicted.isPresent() && predicted.get().measured().isPresent())
					regrets.put("image " + images[i] + ", template " + templates[t],
						predicted.get().measured().getAsDouble() / candidates.get(0).seconds());
			}
		return regrets;
	}
}
