package sc.fiji.ncc.contract;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The numbers that a random case is drawn from. Each has a name and lies in [0, 1). It follows from the seed, unless it is set. So a case that is
 * changed a little is a seed and a few numbers, and its text reproduces it: {@code 17} or {@code 17:a.rate=0.25,width=0.125}.
 */
final class Genes {

	/** Digits of a number that is set: its text is the number. */
	private static final double UNIT = 1e6;

	private final long seed;
	private final Map<String, Double> set;
	private final Set<String> asked;
	private final String scope;

	private Genes(final long seed, final Map<String, Double> set, final Set<String> asked, final String scope) {
		this.seed = seed;
		this.set = set;
		this.asked = asked;
		this.scope = scope;
	}

	/** Those of a seed. */
	static Genes of(final long seed) {
		return new Genes(seed, new TreeMap<>(), new LinkedHashSet<>(), "");
	}

	/** From the text that {@link #toString} gives. */
	static Genes parse(final String text) {
		final String[] parts = text.split(":", 2);
		final Genes genes = of(Long.parseLong(parts[0].trim()));
		if (parts.length > 1) for (final String entry : parts[1].split(",")) {
			final String[] pair = entry.split("=", 2);
			genes.set.put(pair[0].trim(), Double.parseDouble(pair[1]));
		}
		return genes;
	}

	/** The same numbers, each under a name that begins with this. */
	Genes in(final String name) {
		return new Genes(seed, set, asked, scope + name + '.');
	}

	/** The same numbers, with one of them set. */
	Genes with(final String name, final double value) {
		final Genes other = new Genes(seed, new TreeMap<>(set), new LinkedHashSet<>(), scope);
		other.set.put(name, Math.floor(value * UNIT) / UNIT);
		return other;
	}

	/** Whether the number of this name is set. */
	boolean has(final String name) {
		return set.containsKey(scope + name);
	}

	/** The number of this name. */
	double number(final String name) {
		final String full = scope + name;
		asked.add(full);
		final Double known = set.get(full);
		// seeds that follow each other begin alike
		return known != null ? known : new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ full.hashCode() * 0xC2B2AE3D27D4EB4FL).nextDouble();
	}

	/** One of {@code n}. */
	int index(final String name, final int n) {
		return (int) (number(name) * n);
	}

	/** True in this share of all cases. */
	boolean chance(final String name, final double share) {
		return number(name) < share;
	}

	<T> T pick(final String name, final T[] values) {
		return values[index(name, values.length)];
	}

	/** Between two, evenly. */
	double between(final String name, final double least, final double most) {
		return least + (most - least) * number(name);
	}

	/** A power of ten with an exponent between two, evenly. */
	double power(final String name, final double least, final double most) {
		return Math.pow(10, between(name, least, most));
	}

	/** Random numbers, all of which follow from one of these. */
	Random random(final String name) {
		return new Random(Double.doubleToLongBits(number(name)) * 0x9E3779B97F4A7C15L);
	}

	/** Those with a few of the numbers that were asked for changed, by little or by much. */
	Genes changed(final Random random) {
		final Genes other = new Genes(seed, new TreeMap<>(set), new LinkedHashSet<>(), "");
		final List<String> names = new ArrayList<>(asked);
		for (int k = 1 + random.nextInt(3); k > 0; k--) {
			final String name = names.get(random.nextInt(names.size()));
			double v = random.nextDouble();
			if (random.nextInt(4) > 0) v = number(name) + Math.pow(10, -4 + 3.5 * random.nextDouble()) * random.nextGaussian();
			other.set.put(name, Math.floor(Math.max(0, Math.min(1 - 1 / UNIT, v)) * UNIT) / UNIT);
		}
		return other;
	}

	@Override
	public String toString() {
		final StringBuilder text = new StringBuilder(Long.toString(seed));
		char separator = ':';
		for (final Map.Entry<String, Double> e : set.entrySet()) {
			text.append(separator).append(e.getKey()).append('=').append(String.format(Locale.ROOT, "%.6f", e.getValue()));
			separator = ',';
		}
		return text.toString();
	}
}
