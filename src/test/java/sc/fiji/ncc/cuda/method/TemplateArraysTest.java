package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Random;

import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** What is computed of a template on the GPU: summed-area tables, and the positions of its pixels in a box. */
@Tag("gpu")
class TemplateArraysTest {

	private CudaDevice device;

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
		device = Driver.devices().list().get(0);
	}

	private double[] fetch(final CUdeviceptr from, final int n) {
		final double[] values = new double[n];
		device.check(JCudaDriver.cuMemcpyDtoH(Pointer.to(values), from, (long) Double.BYTES * n), "fetching tables");
		return values;
	}

	private double[] tables(final Size size, final double[]... values) {
		device.enter();
		try (MaskedFourierMethod.TemplateTables tables = new MaskedFourierMethod.TemplateTables(device, size, values)) {
			return fetch(tables.pointer(), values.length * (int) ((size.get(0) + 1) * (size.get(1) + 1) * (size.get(2) + 1)));
		}
	}

	@ParameterizedTest
	@CsvSource({ "5,4,3", "1,1,1", "70,1,1", "1,90,1", "3,40,70", "200,130,1" })
	void everyBoxIsADifferenceOfEightSums(final int w, final int h, final int d) {
		final int table = (w + 1) * (h + 1) * (d + 1);
		final Random random = new Random(1);
		final double[] a = random.ints(w * h * d, -9, 9).asDoubleStream().toArray();
		final double[] tables = tables(Size.of(w, h, d), a, null);
		for (int trial = 0; trial < 200; trial++) {
			final int[] x = random.ints(2, 0, w + 1).sorted().toArray(), y = random.ints(2, 0, h + 1).sorted().toArray(), z = random.ints(2, 0, d + 1).sorted().toArray();
			for (int t = 0; t < 2; t++) {
				double sum = 0, difference = 0;
				for (int k = z[0]; k < z[1]; k++)
					for (int j = y[0]; j < y[1]; j++)
						for (int i = x[0]; i < x[1]; i++) sum += t == 0 ? a[(k * h + j) * w + i] : 1;
				for (int corner = 0; corner < 8; corner++) {
					final int i = x[corner & 1], j = y[corner >> 1 & 1], k = z[corner >> 2];
					difference += (Integer.bitCount(corner) % 2 == 1 ? 1 : -1) * tables[t * table + (k * (h + 1) + j) * (w + 1) + i];
				}
				assertEquals(sum, difference);
			}
		}
	}

	/** However many numbers are added up, a sum is off by a rounding or two: what cancels leaves no more. */
	@Test
	void sumsAreRoundedOnce() {
		final int w = 400, h = 30;
		final double[] a = new double[w * h];
		for (int i = 0; i < a.length; i++) a[i] = 0.1 + 1e-3 * (i % w);
		final double[] tables = tables(Size.of(w, h, 1), a);
		BigDecimal all = BigDecimal.ZERO;
		for (final double v : a) all = all.add(new BigDecimal(v));
		assertEquals(all.doubleValue(), tables[tables.length - 1], Math.ulp(all.doubleValue()));
	}

	/** x, y, z and the offset of each pixel that counts. */
	@ParameterizedTest
	@CsvSource({ "7,5,3,false", "7,5,3,true", "600,1,1,false", "1,1,400,true", "33,41,1,true" })
	void placesAreThoseOfPixelsThatCount(final int w, final int h, final int d, final boolean masked) {
		final Random random = new Random(2);
		final double[] values = random.doubles(w * h * d).toArray(), weights = masked ? random.doubles(w * h * d).map(v -> v < 0.4 ? 0 : 1).toArray() : null;
		final CountedPixels pixels = new CountedPixels(new Template(Size.of(w, h, d), PixelType.F64, values, weights));
		final int pitch = w + 16, rows = h + 9;
		device.enter();
		final int[] expected = new int[4 * pixels.count()], found = new int[expected.length];
		for (int i = 0, n = 0; i < values.length; i++) {
			if (masked && weights[i] == 0) continue;
			final int x = i % w, y = i / w % h, z = i / w / h;
			for (final int v : new int[] { x, y, z, (z * rows + y) * pitch + x }) expected[n++] = v;
		}
		try (StreamContext context = new StreamContext(device); CountedPixelArrays arrays = new CountedPixelArrays(device, pixels, DeviceArray.of(device, pixels.of(values)))) {
			final CUdeviceptr places = arrays.in(context, new BoxGeometry(Size.of(w, h, d), new long[3], new int[] { 17, 10, 1 }, new long[] { pitch, rows, d }, pitch), "places");
			context.await(Monitor.NONE);
			device.check(JCudaDriver.cuMemcpyDtoH(Pointer.to(found), places, 4L * found.length), "fetching places");
		}
		assertArrayEquals(expected, found);
	}
}
