package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** A test that hangs is named, and does not hold up the others. */
class HangTest {

	private static Thread runner;

	/** Which thread runs a test tells whether a timeout stands over it. */
	@Test
	void methodsRunUnderTheDefaultTimeout() {
		assertTrue(Thread.currentThread().getName().contains("timeout"), Thread.currentThread().getName());
	}

	@TestFactory
	DynamicTest dynamicTestsRunUnderATimeoutOfTheirOwn() {
		runner = Thread.currentThread();
		return dynamicTest("in a thread of its own", () -> assertTrue(runner != Thread.currentThread() && Thread.currentThread().getName().contains("timeout"),
			Thread.currentThread().getName()));
	}

	@Test
	void aDynamicTestThatHangsIsNamed() {
		final AssertionFailedError e = assertThrows(AssertionFailedError.class, () -> DynamicTestTimeout.within(Duration.ofMillis(50), () -> {
			new CountDownLatch(1).await();
			return null;
		}, "the test"));
		assertTrue(e.getMessage().startsWith("the test hangs"), e.getMessage());
	}

	@Test
	void whatATestThrowsIsThrown() {
		assertThrows(TestAbortedException.class, () -> DynamicTestTimeout.within(Duration.ofMinutes(1), () -> {
			throw new TestAbortedException("no card");
		}, "the test"));
	}

	@Test
	void aPropertyThatHangsIsInterrupted() throws InterruptedException {
		final Thread waiting = new Thread(() -> {
			try {
				new CountDownLatch(1).await();
			}
			catch (final InterruptedException e) {
				return;
			}
		}, "a property");
		waiting.start();
		final Future<?> alarm = PropertyWatch.interruptAfter(Duration.ofMillis(50), waiting, "a property, as this test tries it");
		waiting.join(60_000);
		assertEquals(Thread.State.TERMINATED, waiting.getState());
		alarm.cancel(false);
	}
}
