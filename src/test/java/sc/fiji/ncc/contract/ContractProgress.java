package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;

import sc.fiji.ncc.contract.AlgorithmContract.Check;

/**
 * The checks of a contract that takes minutes. Prints every ten seconds how many have ended. If the system property {@code ncc.contract.done} names a file,
 * the names of the checks that pass are appended to it, and those that it has are left out: a run that was stopped goes on in the next one.
 */
final class ContractProgress {

	private static final long BETWEEN = 10_000_000_000L;

	private final String name;
	private final Path file;
	private final Set<String> passedBefore;
	private final long start = System.nanoTime();
	private long printed = start;
	private int all, ended, failed;

	/** @param name the first words of each line and of each name in the file */
	ContractProgress(final String name) {
		this(name, System.getProperty("ncc.contract.done") == null ? null : Path.of(System.getProperty("ncc.contract.done")));
	}

	/** @param file the names of the checks that have passed, or null */
	ContractProgress(final String name, final Path file) {
		this.name = name;
		this.file = file;
		try {
			passedBefore = file == null || !Files.exists(file) ? Set.of() : Set.copyOf(Files.readAllLines(file));
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	/** A container of the checks that have not passed before. */
	DynamicContainer checks(final String container, final List<Check> checks) {
		final List<DynamicTest> tests = new ArrayList<>();
		for (final Check check : checks) {
			final String id = name + ": " + container + ": " + check.name();
			if (passedBefore.contains(id)) continue;
			all++;
			tests.add(dynamicTest(check.name(), () -> {
				boolean passed = false;
				try {
					check.body().execute();
					passed = true;
				}
				finally {
					ended(id, passed);
				}
			}));
		}
		return dynamicContainer(container, tests);
	}

	private synchronized void ended(final String id, final boolean passed) throws IOException {
		ended++;
		if (!passed) failed++;
		else if (file != null) Files.writeString(file, id + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		final long now = System.nanoTime();
		if (now - printed < BETWEEN && ended < all) return;
		printed = now;
		System.out.printf(Locale.ROOT, "%s: %d of %d checks, %d failed, %.0f s%n", name, ended, all, failed, 1e-9 * (now - start));
	}
}
