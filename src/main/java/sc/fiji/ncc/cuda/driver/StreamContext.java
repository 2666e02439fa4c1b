package sc.fiji.ncc.cuda.driver;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import jcuda.Pointer;
import jcuda.driver.CUDA_MEMCPY2D;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUmemorytype;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUtexObject;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;

/** A stream and the memory for its work. Only one thread uses it at a time. */
public final class StreamContext implements AutoCloseable {

	/** A wait for the device pauses for this part of the time that it has taken. */
	private static final int PAUSES = 8;

	public final CudaDevice device;
	public final CUstream stream;
	private final Map<String, MemoryPool.DeviceBlock> blocks = new HashMap<>();
	/** What buffers hold of the pixels that were sent last. */
	private final Map<String, Object> contents = new HashMap<>();
	private final Map<String, MemoryPool.PinnedBlock> pinned = new HashMap<>();
	private final Map<List<Object>, Cufft.Transform> transforms = new HashMap<>();
	private final Map<Object, DeviceArray> tables = new HashMap<>();
	private Buffer heap;
	private PixelType heapType;
	private CUtexObject texture;
	/** The memory, width, height and pitch of the current texture. */
	private List<Object> textured;

	public StreamContext(final CudaDevice device) {
		this.device = device;
		stream = device.stream();
	}

	/** Memory on the GPU, kept for the next box. If it must grow, it waits for the stream, and its content becomes undefined. */
	public CUdeviceptr buffer(final String name, final long bytes) {
		MemoryPool.DeviceBlock b = blocks.get(name);
		if (b == null || b.bytes() < bytes) {
			if (b != null) {
				settle();
				device.memory().release(blocks.remove(name));
			}
			contents.remove(name);
			b = device.memory().onDevice(bytes);
			blocks.put(name, b);
		}
		return b.pointer();
	}

	/** The same, filled with zeros if it must grow, for memory that can be copied before all of it is written. */
	public CUdeviceptr clearedBuffer(final String name, final long bytes) {
		final MemoryPool.DeviceBlock before = blocks.get(name);
		final CUdeviceptr pointer = buffer(name, bytes);
		final MemoryPool.DeviceBlock after = blocks.get(name);
		if (after != before) clear(pointer, after.bytes() / 4);
		return pointer;
	}

	/**
	 * Whether a buffer holds the given content, which was computed from the pixels that were sent last. If not, the caller computes it. So the templates of a
	 * bank share what depends only on the pixels.
	 */
	public boolean holds(final String buffer, final Object content) {
		return content.equals(contents.put(buffer, content));
	}

	/** Call it before other pixels are sent: what was computed from the pixels before is not used again. */
	public void forgetPixels() {
		contents.clear();
	}

	/** Numbers that all templates use, for example roots of unity: sent at the first use. */
	public CUdeviceptr table(final Object key, final Supplier<DeviceArray> numbers) {
		return tables.computeIfAbsent(key, k -> numbers.get()).pointer();
	}

	/** Pinned memory of the host, kept like that of {@link #buffer}. */
	public ByteBuffer pinned(final String name, final long bytes) {
		return pinnedPointer(name, bytes).getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
	}

	public Pointer pinnedPointer(final String name, final long bytes) {
		MemoryPool.PinnedBlock b = pinned.get(name);
		if (b == null || b.bytes() < bytes) {
			if (b != null) {
				settle();
				device.memory().release(pinned.remove(name));
			}
			b = device.memory().pinned(bytes);
			pinned.put(name, b);
		}
		return b.pointer();
	}

	public void send(final CUdeviceptr to, final Pointer from, final long bytes) {
		device.check(JCudaDriver.cuMemcpyHtoDAsync(to, from, bytes, stream), "sending " + bytes + " bytes");
	}

	public void fetch(final Pointer to, final CUdeviceptr from, final long bytes) {
		device.check(JCudaDriver.cuMemcpyDtoHAsync(to, from, bytes, stream), "fetching " + bytes + " bytes");
	}

	/** Copies {@code bytes} bytes of each row to the host, without the padding between rows. */
	public void fetchRows(final Pointer to, final CUdeviceptr from, final int bytes, final int pitch, final int rows) {
		if (bytes == pitch) {
			fetch(to, from, (long) bytes * rows);
			return;
		}
		final CUDA_MEMCPY2D copy = new CUDA_MEMCPY2D();
		copy.srcMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE;
		copy.srcDevice = from;
		copy.srcPitch = pitch;
		copy.dstMemoryType = CUmemorytype.CU_MEMORYTYPE_HOST;
		copy.dstHost = to;
		copy.dstPitch = bytes;
		copy.WidthInBytes = bytes;
		copy.Height = rows;
		device.check(JCudaDriver.cuMemcpy2DAsync(copy, stream), "fetching " + rows + " rows of " + bytes + " bytes");
	}

	public void clear(final CUdeviceptr memory, final long words) {
		device.check(JCudaDriver.cuMemsetD32Async(memory, 0, words, stream), "clearing " + words + " words");
	}

	/** Sets each of {@code bytes} bytes to a value. */
	public void fill(final CUdeviceptr memory, final int value, final long bytes) {
		device.check(JCudaDriver.cuMemsetD8Async(memory, (byte) value, bytes, stream), "filling " + bytes + " bytes");
	}

	/**
	 * Waits until the stream is done or the monitor cancels; for the first 0.2 ms without sleeping, but other threads that can run go first. The time between
	 * two queries grows with the wait, because a query keeps other threads from launching.
	 */
	public void await(final Monitor monitor) {
		final long start = System.nanoTime();
		long polled = start;
		while (true) {
			final int code = JCudaDriver.cuStreamQuery(stream);
			if (code == CUresult.CUDA_SUCCESS) return;
			if (code != CUresult.CUDA_ERROR_NOT_READY) device.check(code, "computing on " + device.device.name());
			final long now = System.nanoTime();
			if (now - polled > 1_000_000) {
				monitor.requireNotCanceled();
				polled = now;
			}
			if (now - start < 200_000) do Thread.yield();
			while (System.nanoTime() - now < (now - start) / PAUSES);
			else LockSupport.parkNanos(20_000);
		}
	}

	/** Waits for what was launched, so that its memory can be released. It ignores failures: the next call of the driver has the same one. */
	public void settle() {
		JCudaDriver.cuStreamSynchronize(stream);
	}

	/** A heap buffer for this number of pixels, kept for the next box. */
	public Buffer heap(final PixelType type, final int pixels) {
		if (heap == null || heapType != type || heap.capacity() < pixels) {
			heap = type.allocate(pixels);
			heapType = type;
		}
		heap.clear();
		heap.limit(pixels);
		return heap;
	}

	/** Creates a texture over rows on the GPU. */
	public interface Textures {

		CUtexObject of(CUdeviceptr from, int width, int height, int pitch);
	}

	/** A texture over memory of this context, kept until another one is requested. Then it waits for the stream. */
	public CUtexObject texture(final CUdeviceptr from, final int width, final int height, final int pitch, final Textures textures) {
		final List<Object> source = List.of(from, width, height, pitch);
		if (source.equals(textured)) return texture;
		if (texture != null) settle();
		closeTexture();
		texture = textures.of(from, width, height, pitch);
		textured = source;
		return texture;
	}

	/** A transform for this context's stream, kept for all templates. */
	public Cufft.Transform transform(final TransformExtents extents, final Cufft.Type type) {
		return transforms.computeIfAbsent(List.of(extents, type), k -> new Cufft.Transform(extents, type));
	}

	/** Transforms of lines for this context's stream, kept. @param points the real numbers of a line */
	public Cufft.Transform lines(final int points, final int lines, final Cufft.Type type) {
		return transforms.computeIfAbsent(List.of(points, lines, type), k -> new Cufft.Transform(points, lines, type));
	}

	private void closeTexture() {
		if (texture != null) device.check(JCudaDriver.cuTexObjectDestroy(texture), "closing a texture");
		texture = null;
		textured = null;
	}

	/** Launches a kernel on this context's stream. */
	public void launch(final GpuKernel kernel, final GpuKernel.Grid grid, final int shared, final Object... arguments) {
		kernel.launch(stream, grid, shared, arguments);
	}

	@Override
	public void close() {
		// the next users of the memory and of the stream find no work on them
		settle();
		// memory comes back also if a transform of a lost GPU cannot be closed
		try {
			closeTexture();
			transforms.values().forEach(Cufft.Transform::close);
		}
		finally {
			transforms.clear();
			blocks.values().forEach(device.memory()::release);
			pinned.values().forEach(device.memory()::release);
			tables.values().forEach(DeviceArray::close);
			blocks.clear();
			pinned.clear();
			tables.clear();
			device.release(stream);
		}
	}
}
