package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import org.scijava.Context;
import org.scijava.app.DefaultStatusService;
import org.scijava.event.EventService;
import org.scijava.task.DefaultTask;
import org.scijava.task.DefaultTaskService;
import org.scijava.task.Task;
import org.scijava.task.TaskService;
import org.scijava.thread.ThreadService;

class TaskProgressTest {

	@Test
	void theTimeLeftIsThatOfTheRestAtTheSamePace() {
		assertEquals("30 s left", TaskProgress.left(10, 0.25));
		assertEquals("5 min left", TaskProgress.left(100, 0.25));
		assertEquals("3 h left", TaskProgress.left(3600, 0.25));
		assertEquals("0 s left", TaskProgress.left(10, 1));
		assertEquals("99 s left", TaskProgress.left(99, 0.5));
		assertEquals("2 min left", TaskProgress.left(100, 0.5));
		assertEquals("100 min left", TaskProgress.left(5999, 0.5));
		assertEquals("2 h left", TaskProgress.left(6000, 0.5));
		assertEquals("1 s left", TaskProgress.left(1, 0.5));
	}

	@Test
	void theFirstSecondSaysLittle() {
		assertEquals("", TaskProgress.left(0.9, 0.5));
		assertEquals("", TaskProgress.left(10, 0));
	}

	/** What a status bar shows. */
	private static final class Bar extends DefaultStatusService {

		private final List<String> shown = new ArrayList<>();

		@Override
		public void showProgress(final int value, final int maximum) {
			shown.add(value + "/" + maximum);
		}

		@Override
		public void showStatus(final String message) {
			shown.add(message);
		}

		@Override
		public void showStatus(final int progress, final int maximum, final String message) {
			shown.add(progress + "/" + maximum + " " + message);
		}

		@Override
		public void clearStatus() {
			shown.add("clear");
		}
	}

	/** Time runs on request. */
	@Test
	void theBarShowsTheShareAndAtLastTheSummary() {
		final Bar bar = new Bar();
		final AtomicLong clock = new AtomicLong(5_000_000_000L);
		try (Context context = new Context(EventService.class, ThreadService.class)) {
			final TaskService tasks = new DefaultTaskService() {

				@Override
				public Task createTask(final String name) {
					return new DefaultTask(context.service(ThreadService.class), context.service(EventService.class));
				}
			};
			try (TaskProgress progress = new TaskProgress("Find", tasks, bar, () -> bar.shown.size() > 0, clock::get)) {
				// a tenth of a second after the start, and after each message, at the earliest
				clock.addAndGet(99_000_000);
				progress.done(0);
				assertFalse(progress.canceled());
				// time before the total does not count
				clock.addAndGet(7_000_000_000L);
				progress.total(400);
				progress.done(100);
				assertTrue(progress.canceled());
				clock.addAndGet(99_000_000);
				progress.done(20);
				clock.addAndGet(2_000_000_000);
				progress.done(180);
				progress.finish("2 matches");
			}
			assertEquals(List.of("250/1000 Find", "750/1000 Find: 1 s left", "1/1 2 matches"), bar.shown);
			bar.shown.clear();
			final TaskProgress closed = new TaskProgress("Find", tasks, bar, () -> false, clock::get);
			closed.close();
			// by a thread that ends after the result is complete
			clock.addAndGet(1_000_000_000);
			closed.done(100);
			assertEquals(List.of("1/1 "), bar.shown);
		}
	}
}
