package sc.fiji.ncc.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.plan.Ranking.Candidate;

/** Ranks the algorithms of all backends for a problem by their estimated cost. */
public final class Planner {

	private final List<Backend> backends;

	public Planner(final List<Backend> backends) {
		this.backends = List.copyOf(backends);
	}

	/**
	 * @param backend only this one; empty for any
	 * @param algorithm only this one, by its id; empty for any
	 * @return all candidates, those that apply first, the cheapest at the front
	 * @throws IllegalArgumentException if a backend or an algorithm of that name does not exist, or nothing that was asked for applies
	 */
	public Ranking rank(final Problem problem, final Optional<String> backend, final Optional<String> algorithm) {
		requireKnown(backend, algorithm);
		final List<Candidate> fit = new ArrayList<>();
		final List<Candidate> rest = new ArrayList<>();
		for (final Backend b : backends) {
			if (b.unavailable().isPresent()) {
				rest.add(new Candidate(b.id(), null, null, null, b.unavailable().get()));
				continue;
			}
			for (final Device device : b.devices())
				for (final Algorithm a : b.algorithms()) {
					final Optional<String> why = b.id().equals(backend.orElse(b.id()))
						? a.id().equals(algorithm.orElse(a.id())) ? a.unsupported(problem) : Optional.of("another algorithm was asked for")
						: Optional.of("another backend was asked for");
					if (why.isPresent()) rest.add(new Candidate(a.id(), a, device, null, why.get()));
					else fit.add(new Candidate(a.id(), a, device, a.plan(problem, device), ""));
				}
		}
		// a stable sort: of two that cost the same, the more specialised stands first
		fit.sort(Comparator.comparingDouble(c -> c.plan().cost().seconds()));
		final List<Candidate> all = new ArrayList<>();
		for (final Candidate c : fit) all.add(withReason(c, fit));
		all.addAll(rest);
		if (fit.isEmpty()) throw new IllegalArgumentException(nothingFits(rest, algorithm));
		return new Ranking(problem, all);
	}

	private static Candidate withReason(final Candidate c, final List<Candidate> fit) {
		final double best = fit.get(0).plan().cost().seconds();
		final String reason = c == fit.get(0) ? fit.size() == 1 ? "taken: the only one that applies" : "taken: least time predicted"
			: String.format("predicted to take %.1f times as long", c.plan().cost().seconds() / best);
		return new Candidate(c.name(), c.algorithm(), c.device(), c.plan(), reason);
	}

	private static String nothingFits(final List<Candidate> rest, final Optional<String> algorithm) {
		final StringBuilder text = new StringBuilder("no algorithm applies:");
		for (final Candidate c : rest)
			if (algorithm.isEmpty() || c.name().equals(algorithm.get()) || c.algorithm() == null)
				text.append(' ').append(c.name()).append(" (").append(c.reason()).append(')');
		return text.toString();
	}

	private void requireKnown(final Optional<String> backend, final Optional<String> algorithm) {
		final List<String> ids = backends.stream().map(Backend::id).toList();
		if (backend.isPresent() && !ids.contains(backend.get()))
			throw new IllegalArgumentException("there is no backend \"" + backend.get() + "\": choose auto or one of " + ids);
		for (final Backend b : backends)
			if (b.id().equals(backend.orElse("")) && b.unavailable().isPresent())
				throw new IllegalArgumentException("the backend " + b.id() + " cannot be used: " + b.unavailable().get());
		final List<String> known = backends.stream().flatMap(b -> b.algorithms().stream()).map(Algorithm::id).toList();
		if (algorithm.isPresent() && !known.contains(algorithm.get()))
			throw new IllegalArgumentException("there is no algorithm \"" + algorithm.get() + "\": choose auto or one of " + known);
	}
}
