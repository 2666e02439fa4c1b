package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;

import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;

/** JUnit's default timeout is for methods: this is the one for the dynamic tests that a factory gives, each by itself. Registered for all tests. */
public final class DynamicTestTimeout implements InvocationInterceptor {

	/** The slowest check of the contract takes some seconds. */
	private static final Duration MOST = Duration.ofMinutes(5);

	@Override
	public void interceptDynamicTest(final Invocation<Void> invocation, final DynamicTestInvocationContext context, final ExtensionContext extension) throws Throwable {
		within(MOST, invocation, extension.getDisplayName());
	}

	/** Fails with the stack of the test's thread if it takes longer. */
	static void within(final Duration most, final Invocation<Void> invocation, final String name) {
		assertTimeoutPreemptively(most, () -> {
			invocation.proceed();
		}, () -> name + " hangs");
	}
}
