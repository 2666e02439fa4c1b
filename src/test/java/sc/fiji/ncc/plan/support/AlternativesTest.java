package sc.fiji.ncc.plan.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;

/** Alternatives fail one after another: what is opened, closed, reported and done again. */
class AlternativesTest {

	/** Events in their order. */
	private final List<String> events = new ArrayList<>();

	private final class Opened implements Plan.Prepared {

		private final String name;

		Opened(final String name) {
			this.name = name;
			events.add("open " + name);
			if (name.startsWith("full")) throw new OutOfMemoryError("a test");
		}

		@Override
		public void close() {
			events.add("close " + name);
			if (name.startsWith("lost")) throw new DeviceException("cannot release");
		}

		String work() {
			if (name.startsWith("bad") || name.startsWith("lost")) throw new DeviceException("broken");
			return "by " + name;
		}
	}

	private final class Recorded extends Alternatives<String, Opened> {

		/** How many times an alternative that failed is opened once more. */
		private int again;

		Recorded(final String... names) {
			super(List.of(names), n -> "candidate " + n, Opened::new);
		}

		@Override
		protected void answered(final String used) {
			events.add("answered " + used);
		}

		@Override
		protected void rejected(final String failed, final String reason) {
			events.add("rejected " + failed + ": " + reason);
		}

		@Override
		protected boolean isOpenedAgain(final DeviceException failure) {
			return again-- > 0;
		}
	}

	private List<String> warnings(final Runnable work) {
		final List<String> texts = new ArrayList<>();
		final Handler handler = new Handler() {

			@Override
			public void publish(final LogRecord entry) {
				texts.add(entry.getMessage());
			}

			@Override
			public void flush() {}

			@Override
			public void close() {}
		};
		final Logger logger = Logger.getLogger("sc.fiji.ncc");
		logger.addHandler(handler);
		try {
			work.run();
		}
		finally {
			logger.removeHandler(handler);
		}
		return texts;
	}

	@Test
	void anExecutionIsOpenedOnceAndAnswersOnceUntilItIsClosed() {
		final Recorded good = new Recorded("good", "other");
		assertFalse(good.isOpen());
		assertEquals("by good", good.run(Opened::work));
		assertTrue(good.isOpen());
		assertEquals("by good", good.attempt(good.first(), Opened::work));
		good.close();
		good.close();
		assertFalse(good.isOpen());
		good.run(Opened::work);
		assertEquals(List.of("open good", "answered good", "close good", "open good", "answered good"), events);
	}

	@Test
	void theNextOneContinuesAndTheLastFailureIsThrown() {
		final Recorded both = new Recorded("bad", "lost");
		final List<String> warnings = warnings(() -> assertEquals("broken", assertThrows(DeviceException.class, () -> both.run(Opened::work)).getMessage()));
		assertEquals(List.of("open bad", "close bad", "rejected bad: failed: broken", "open lost", "close lost", "rejected lost: failed: broken"), events);
		assertEquals(List.of("candidate bad failed: broken; the next candidate continues", "candidate lost failed: broken; no other candidate is left"),
			warnings);
		assertSame(assertThrows(DeviceException.class, both::first), assertThrows(DeviceException.class, both::first));
	}

	@Test
	void onRequestTheSameOneIsOpenedAgain() {
		final Recorded again = new Recorded("bad");
		again.again = 1;
		final List<String> warnings = warnings(() -> assertThrows(DeviceException.class, () -> again.run(Opened::work)));
		assertEquals(List.of("open bad", "close bad", "open bad", "close bad", "rejected bad: failed: broken"), events);
		assertEquals(List.of("candidate bad failed: broken; trying the rest of the work again one by one",
			"candidate bad failed: broken; no other candidate is left"), warnings);
		final Alternatives<String, Opened> plain = new Alternatives<>(List.of("bad", "good"), n -> n, Opened::new);
		assertEquals("by good", plain.run(Opened::work), "without a request");
	}

	/** A full heap is a failure, and steps that are repeated are reported once. */
	@Test
	void repeatedWorkReportsItsProgressOnce() {
		final List<Long> steps = new ArrayList<>();
		final boolean[] canceled = new boolean[1];
		final Monitor monitor = new Monitor() {

			@Override
			public void done(final long more) {
				steps.add(more);
			}

			@Override
			public boolean canceled() {
				return canceled[0];
			}
		};
		final List<String> names = new ArrayList<>();
		assertEquals("by good", new Recorded("full", "first", "good").repeat(monitor, (open, progress) -> {
			names.add(open.name);
			for (final boolean value : new boolean[] { true, false }) {
				canceled[0] = value;
				assertEquals(value, progress.canceled());
			}
			progress.done(2);
			progress.done(3);
			if (open.name.equals("first")) throw new OutOfMemoryError("a test");
			progress.done(4);
			return open.work();
		}));
		assertEquals(List.of("first", "good"), names);
		assertEquals(List.of(2L, 3L, 4L), steps);
		assertTrue(events.stream().anyMatch(e -> e.startsWith("rejected full: failed: not enough memory on the Java heap")), events.toString());
	}
}
