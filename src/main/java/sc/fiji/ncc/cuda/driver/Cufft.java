package sc.fiji.ncc.cuda.driver;

import java.util.List;
import java.util.function.BiConsumer;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;

import sc.fiji.ncc.plan.DeviceException;

/** NVIDIA's Fourier transforms, cuFFT, in the newest installed version. Loaded at the first use. */
public final class Cufft {

	/** Real to complex and complex to real, in float and in double. */
	public enum Type {
		R2C(0x2a), C2R(0x2c), D2Z(0x6a), Z2D(0x6c);

		private final int code;

		Type(final int code) {
			this.code = code;
		}
	}

	private static final int ALLOC_FAILED = 2;
	private static final Libraries.Found FOUND = Libraries.find("cufft", List.of("12", "11", "10"), "the Fourier methods are unavailable");

	private Cufft() {}

	/** The reason why cuFFT is unavailable; null if it is available. */
	public static String missing() {
		return FOUND.reason();
	}

	private static void call(final String function, final Object... arguments) {
		final NativeLibrary library = FOUND.library();
		final int code = library.getFunction(function).invokeInt(arguments);
		if (code == ALLOC_FAILED) throw new DeviceException("cuFFT has not enough memory on the device (" + function + ")");
		if (code != 0) throw new DeviceException(function + " failed with code " + code);
	}

	private static Pointer pointer(final long address) {
		return address == 0 ? Pointer.NULL : new Pointer(address);
	}

	/** A transform of a fixed size. Only one stream may use it at a time. */
	public static final class Transform implements AutoCloseable {

		private final int handle;
		private final Type type;
		/** The working memory in bytes. */
		public final long work;

		/** @param extents those of the real numbers, x fastest */
		Transform(final TransformExtents extents, final Type type) {
			this(type, (plan, size) -> {
				if (extents.z() > 1) call("cufftMakePlan3d", plan, extents.z(), extents.y(), extents.x(), type.code, size);
				else call("cufftMakePlan2d", plan, extents.y(), extents.x(), type.code, size);
			});
		}

		/** A transform of each of several lines, which follow one another. @param points the real numbers of a line */
		Transform(final int points, final int lines, final Type type) {
			this(type, (plan, size) -> call("cufftMakePlan1d", plan, points, type.code, lines, size));
		}

		private Transform(final Type type, final BiConsumer<Integer, LongByReference> planner) {
			this.type = type;
			final IntByReference h = new IntByReference();
			call("cufftCreate", h);
			handle = h.getValue();
			try {
				// the working memory comes from our pool
				call("cufftSetAutoAllocation", handle, 0);
				final LongByReference size = new LongByReference();
				planner.accept(handle, size);
				work = size.getValue();
			}
			catch (final RuntimeException e) {
				close();
				throw e;
			}
		}

		public void run(final CUstream stream, final CUdeviceptr memory, final CUdeviceptr from, final CUdeviceptr to) {
			call("cufftSetStream", handle, pointer(Addresses.of(stream)));
			call("cufftSetWorkArea", handle, pointer(Addresses.of(memory)));
			call("cufftExec" + type, handle, pointer(Addresses.of(from)), pointer(Addresses.of(to)));
		}

		@Override
		public void close() {
			call("cufftDestroy", handle);
		}
	}
}
