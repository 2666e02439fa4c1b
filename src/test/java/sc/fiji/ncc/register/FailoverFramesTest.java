package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.FrameShift;

class FailoverFramesTest {

	private static final int SIDE = 64, FRAMES = 24;

	private static FramePairs pairs(final DriftSettings settings) {
		return new FramePairs(settings, 2, new int[] { SIDE, SIDE, 1 });
	}

	private static List<RandomAccessibleInterval<?>> frames() {
		final DriftTexture texture = new DriftTexture(140, 140, 1.5, 3);
		final Random random = new Random(4);
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int t = 0; t < FRAMES; t++)
			frames.add(ArrayImgs.unsignedShorts(DriftTexture.photons(texture.frame(300 + random.nextInt(60), 300 + random.nextInt(60), SIDE, SIDE), 300, 0.3, random), SIDE, SIDE));
		return frames;
	}

	private static DriftSettings settings(final String reference) {
		return new DriftSettings(DriftReference.of(reference), null, 0.333, null, true, false, 2, "cpu", Monitor.NONE);
	}

	/** An engine with frames of its own, which fails after a number of calls. */
	private static final class Failing implements FrameEngine {

		final FrameEngine.Cpu inner;
		int calls;
		/** Whether it also fails when it is closed. */
		boolean lost;
		boolean closed;

		record Own(Frame frame) implements Frame {

			@Override
			public boolean isFlat() {
				return frame.isFlat();
			}

			@Override
			public FramePixels pixels() {
				return frame.pixels();
			}
		}

		Failing(final DriftSettings settings, final int calls) {
			inner = new FrameEngine.Cpu(pairs(settings));
			this.calls = calls;
		}

		private void call() {
			if (calls-- <= 0) throw new DeviceException("a fault on request");
		}

		@Override
		public FramePairs.Room room() {
			return inner.room();
		}

		@Override
		public List<Frame> transform(final List<? extends RandomAccessibleInterval<?>> frames) {
			call();
			return inner.transform(frames).stream().<Frame>map(Own::new).toList();
		}

		@Override
		public List<PairPeaks> correlate(final List<List<Pair>> groups) {
			call();
			return inner.correlate(groups.stream().map(g -> g.stream().map(p -> new Pair(((Own) p.fixed()).frame(), ((Own) p.moving()).frame())).toList()).toList());
		}

		@Override
		public PairPeaks[] against(final Frame fixed, final List<? extends RandomAccessibleInterval<?>> frames, final boolean[] flat) {
			call();
			return inner.against(((Own) fixed).frame(), frames, flat);
		}

		@Override
		public void keep(final Collection<Frame> frames) {
			inner.keep(frames);
		}

		@Override
		public void close() {
			closed = true;
			inner.close();
			if (lost) throw new DeviceException("the device is lost");
		}
	}

	private static List<FrameShift> run(final DriftSettings settings, final FrameEngine engine) {
		final List<RandomAccessibleInterval<?>> frames = frames();
		final RandomAccessibleInterval<?> given = settings.reference().kind() == DriftReference.Kind.FRAME ? frames.get((int) settings.reference().frame()) : null;
		try (DriftRun run = new DriftRun(settings, pairs(settings), given, null, engine)) {
			for (int i = 0; i < FRAMES; i += 4) run.push(frames.subList(i, i + 4));
			return run.solve();
		}
	}

	@Test
	@Tag("slow")
	void theCpuContinuesAfterAFaultAtAnyCall() {
		for (final String reference : new String[] { "first", "previous", "multi", "5" }) {
			final DriftSettings settings = settings(reference);
			final List<FrameShift> expected = run(settings, new FrameEngine.Cpu(pairs(settings)));
			for (int calls = 0; calls < 12; calls++) {
				final Failing failing = new Failing(settings, calls);
				final List<FrameShift> found = run(settings, new FrameEngine.Failover("a device", () -> failing, new FrameEngine.Cpu(pairs(settings))));
				assertTrue(failing.closed, "the device is closed");
				for (int t = 0; t < FRAMES; t++) assertArrayEquals(expected.get(t).shift(), found.get(t).shift(), 1e-6, reference + ", " + calls + " calls, frame " + t);
			}
		}
	}

	@Test
	void aDeviceThatFailsAtTheEndTakesNoResultAway() {
		final DriftSettings settings = settings("first");
		final Failing failing = new Failing(settings, Integer.MAX_VALUE);
		failing.lost = true;
		final FrameEngine.Cpu cpu = new FrameEngine.Cpu(pairs(settings));
		assertEquals(FRAMES, run(settings, new FrameEngine.Failover("a device", () -> failing, cpu)).size());
		assertTrue(failing.closed);
	}

	@Test
	void theCpuBeginsIfTheDeviceCannotBeOpened() {
		final DriftSettings settings = settings("multi");
		final FrameEngine.Cpu cpu = new FrameEngine.Cpu(pairs(settings));
		final List<FrameShift> found = run(settings, new FrameEngine.Failover("a device", () -> {
			throw new DeviceException("no memory");
		}, cpu));
		assertEquals(FRAMES, found.size());
	}

	@Test
	void theReasonAgainstAGpuIsOneLine() {
		final RandomAccessibleInterval<FloatType> floats = ArrayImgs.floats(SIDE, SIDE, 3);
		refused("a GPU measures frames of 8- and 16-bit integers, and these are 32-bit floats", () -> DriftCorrection.ofFrames(2).backend("cuda").measure(floats));
		refused("a GPU measures planes, and the frames have 3 dimensions", () -> DriftCorrection.ofFrames(3).backend("cuda").measure(ArrayImgs.unsignedBytes(SIDE, SIDE, 8, 3)));
		refused("a GPU measures frames of at least 16 pixels along x and y, and these are 15x64", () -> DriftCorrection.ofFrames(2).backend("cuda").measure(ArrayImgs.unsignedBytes(15, SIDE, 3)));
		final RandomAccessibleInterval<?> frame = frames().get(0);
		refused("a GPU measures frames of which all pixels count, and there is a mask",
			() -> Registration.of(frame).fixedMask(frame).backend("cuda").register(frame));
		refused("a GPU finds up to 16 peaks, and 17 are wanted", () -> Registration.of(frame).peaks(17).backend("cuda").register(frame));
		assertEquals("there is no backend 'gpu': give auto, cpu or cuda", assertThrows(IllegalArgumentException.class, () -> DriftCorrection.ofFrames(2).backend("gpu")).getMessage());
	}

	private static void refused(final String reason, final Runnable work) {
		assertEquals("the backend cuda cannot be used: " + reason + "; choose auto or cpu", assertThrows(IllegalArgumentException.class, work::run).getMessage());
	}

	@Test
	void theChoiceIsExplained() {
		final String said = DriftCorrection.ofFrames(2).threads(3).backend("cpu").explain(frames());
		assertTrue(said.matches("cpu: [0-9.e-]+ s by estimate, 3 threads\\Rcuda: .*"), said);
		final String two = Registration.of(frames().get(0)).backend("cpu").explain(Views.zeroMin(frames().get(1)));
		assertTrue(two.startsWith("cpu: "), two);
	}
}
