package sc.fiji.ncc.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.ZipException;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;

/** Images of more than 2^31 pixels and wider than 32768, of which only what is needed is made: their far corner is as good as any other place. */
class HugeImageTest {

	/** Any pixel from its position. */
	private static int noise(final long i) {
		long h = i * 0x9e3779b97f4a7c15L;
		h ^= h >>> 29;
		h *= 0xbf58476d1ce4e5b9L;
		return (int) (h >>> 47) & 0xffff;
	}

	private final AtomicLong cells = new AtomicLong();

	private RandomAccessibleInterval<?> image(final long... size) {
		final int[] cell = new int[size.length];
		Arrays.fill(cell, size.length < 3 ? 256 : 64);
		return DiskImage.of("noise", PixelType.U16, size, cell, (min, extents) -> {
			cells.incrementAndGet();
			final short[] pixels = new short[Arrays.stream(extents).reduce(1, (a, b) -> a * b)];
			for (int i = 0; i < pixels.length; i++) {
				long at = 0;
				for (int d = size.length - 1, rest = pixels.length, within = i; d >= 0; d--) {
					rest /= extents[d];
					at = at * size[d] + min[d] + within / rest;
					within %= rest;
				}
				pixels[i] = (short) noise(at);
			}
			return pixels;
		});
	}

	static List<long[]> sizes() {
		return List.of(new long[] { 70_000, 40_000 }, new long[] { 3_000_000_000L, 5 }, new long[] { 2048, 2048, 1024 }, new long[] { 7, 400_000_000L, 3 });
	}

	@ParameterizedTest
	@MethodSource("sizes")
	void theFarCornerIsAsGoodAsAnyOther(final long[] size) {
		final RandomAccessibleInterval<?> image = image(size);
		final int n = size.length;
		final long[] crop = new long[n], min = new long[n], template = new long[n], at = new long[n];
		for (int d = 0; d < n; d++) {
			crop[d] = Math.min(size[d], n < 3 ? 90 : 30);
			min[d] = size[d] - crop[d];
			template[d] = Math.min(size[d] - 2, n < 3 ? 9 : 5);
			if (size[d] == 3) template[d] = 2;
			at[d] = min[d] + Math.min(1, crop[d] - template[d]);
		}
		// copied: ImgLib2's blocks of a view that was moved by more than 2^31 along a dimension are others than its pixels
		final RandomAccessibleInterval<?> part =
			TestImages.image(PixelType.U16, Arrays.stream(crop).mapToInt(Math::toIntExact).toArray(), TestImages.values(Views.interval(image, FinalInterval.createMinSize(join(min, crop)))));
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(Views.interval(image, FinalInterval.createMinSize(join(at, template))));
		for (final Extent extent : List.of(Extent.VALID, Extent.FULL)) {
			final long[] first = new long[n], count = new long[n];
			for (int d = 0; d < n; d++) {
				first[d] = min[d] + 1;
				count[d] = crop[d] - 1 + (extent == Extent.FULL ? 0 : 1 - template[d]);
				if (count[d] < 1) {
					first[d] = min[d];
					count[d] = 1;
				}
			}
			for (final String algorithm : List.of("cpu-direct-exact", "cpu-fourier")) {
				op.extent(extent).algorithm(algorithm);
				final Response far = op.search(FinalInterval.createMinSize(join(first, count))).correlate(image);
				final long[] near = new long[n];
				for (int d = 0; d < n; d++) near[d] = first[d] - min[d];
				final Response expected = op.search(FinalInterval.createMinSize(join(near, count))).correlate(part);
				assertArrayEquals(TestImages.values(expected.map()), TestImages.values(far.map()), algorithm.equals("cpu-fourier") ? 1e-5 : 0, extent + " " + algorithm);
				assertArrayEquals(first, far.origin());
			}
		}
		assertTrue(cells.get() < 200, cells + " cells were read");
	}

	/** Cells of 8 GiB, of which only the first pixel is made: more than a quarter of the heap. */
	@Test
	void someCellsAreKeptHoweverLargeTheyAre() {
		final int side = 1 << 15;
		final RandomAccess<?> pixels = DiskImage.of("cells", PixelType.F64, new long[] { 2 * side, side }, new int[] { side, side },
			(min, extents) -> {
			cells.incrementAndGet();
			return new double[] { min[0] };
		}).randomAccess();
		for (final long x : new long[] { 0, side, 0, side }) assertEquals(x, ((RealType<?>) pixels.setPositionAndGet(x, 0))
			.getRealDouble());
		assertEquals(2, cells.get());
	}

	/** The message names the image and the reason, in words. */
	@Test
	void cellsThatCannotBeRead() {
		final Map<IOException, String> failures = Map.of(new NoSuchFileException("/a/b"), "it is missing", new EOFException(),
			"it is cut off",
			new EOFException("3 bytes where 4 should be"), "it is cut off: 3 bytes where 4 should be", new AccessDeniedException("/a/b"),
				"access denied",
			new ZipException("a code"), "it is damaged", new IOException("the disk is gone"), "the disk is gone");
		failures.forEach((failure, reason) -> {
			final RandomAccess<?> pixels = DiskImage.of("cells", PixelType.U8, new long[] { 4, 4 }, new int[] { 4, 4 }, (min, extents) -> {
				throw failure;
			}).randomAccess();
			final NccException e = assertThrows(NccException.class, () -> ((RealType<?>) pixels.setPositionAndGet(0, 0)).getRealDouble());
			assertEquals("cells cannot be read: " + reason, e.getMessage());
			assertEquals(!reason.equals("the disk is gone"), InputDataException.caused(e));
		});
	}

	private static long[] join(final long[] a, final long[] b) {
		final long[] all = Arrays.copyOf(a, a.length + b.length);
		System.arraycopy(b, 0, all, a.length, b.length);
		return all;
	}

	/** A map of more than 2^31 responses, all but its last chunks there before: those come, and at their places. */
	@Test
	void aMapOfMoreThanTwoThousandMillionResponses() {
		final long[] size = { 70_000, 40_000 };
		final RandomAccessibleInterval<?> image = image(size);
		final NormalizedCrossCorrelation op =
			NormalizedCrossCorrelation.of(Views.interval(image, FinalInterval.createMinSize(69_980, 39_980, 9, 8))).extent(Extent.SAME).algorithm("cpu-direct-exact");
		final Set<String> written = ConcurrentHashMap.newKeySet();
		final float[] last = new float[(70_000 - 68 * 1024) * (40_000 - 39 * 1024)];
		final StoredResponse stored = op.correlateInto(image, new MapStore() {

			@Override
			public long[] size() {
				return size.clone();
			}

			@Override
			public int[] chunk() {
				return new int[] { 1024, 1024 };
			}

			@Override
			public boolean has(final long[] min) {
				return min[0] < 67 * 1024 || min[1] < 38 * 1024;
			}

			@Override
			public void write(final long[] min, final int[] extents, final Buffer responses) {
				written.add(Arrays.toString(min));
				if (min[0] == 68 * 1024 && min[1] == 39 * 1024) ((FloatBuffer) responses).get(last);
			}
		});
		assertEquals(Set.of("[68608, 38912]", "[69632, 38912]", "[68608, 39936]", "[69632, 39936]"), written);
		assertEquals(70_000L * 40_000 - 8L * 40_000 - 7L * 70_000 + 56, stored.report().responses() + stored.before());
		// the template's own place: its centre
		final int x = 69_980 + 4 - 68 * 1024, y = 39_980 + 4 - 39 * 1024;
		assertEquals(1, last[y * (70_000 - 68 * 1024) + x], 1e-6);
	}
}
