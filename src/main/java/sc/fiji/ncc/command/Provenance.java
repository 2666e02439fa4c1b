package sc.fiji.ncc.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Response;

/** Properties of a map that record how it was computed. TIFF files keep them. */
final class Provenance {

	private final Map<String, String> all = new LinkedHashMap<>();
	private final Response response;

	Provenance(final Response response) {
		this.response = response;
		with("method", method()).with("plan", response.ranking().explain()).with("seconds", String.format(Locale.ROOT, "%.4f", response.seconds()))
			.with("responses", String.valueOf(response.report().responses())).with("undefined", String.valueOf(response.report().undefined()));
	}

	/** @return this */
	Provenance with(final String name, final String value) {
		all.put("NCC." + name, value);
		return this;
	}

	Map<String, String> properties() {
		return all;
	}

	/** @return the final text of the status bar: method and time */
	String summary() {
		return String.format(Locale.ROOT, "%s, %.3g s", method(), response.seconds());
	}

	private String method() {
		return methods(List.of(response.ranking()));
	}

	/** @return the chosen methods, each once */
	static String methods(final List<Ranking> rankings) {
		final String names = rankings.stream().flatMap(r -> r.best().stream()).map(c -> c.name()).distinct().collect(Collectors.joining(", "));
		return names.isEmpty() ? "nothing to compute" : names;
	}
}
