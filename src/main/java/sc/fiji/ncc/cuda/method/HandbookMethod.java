package sc.fiji.ncc.cuda.method;

import jcuda.Pointer;
import jcuda.driver.CUDA_RESOURCE_DESC;
import jcuda.driver.CUDA_TEXTURE_DESC;
import jcuda.driver.CUaddress_mode;
import jcuda.driver.CUarray_format;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfilter_mode;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresourcetype;
import jcuda.driver.CUstream;
import jcuda.driver.CUtexObject;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/** The two methods of The CUDA Handbook, chapter 15, for 8-bit pixels: see {@code handbook.cu}. */
public final class HandbookMethod implements CudaMethod {

	/** The maximum number of pixels of a template in constant memory, and for sums of products below 2^31. */
	public static final int MAX_CONSTANT = 61_440, MAX = 131_071;
	/** CU_TRSF_READ_AS_INTEGER. */
	private static final int AS_INTEGER = 1;
	/** Rows of a texture begin at multiples of this number of bytes. */
	private static final int ALIGNMENT = 512;

	private final CudaDevice device;
	private final int width, height, sum, energy;
	private final WholePixels pixels;
	private final GpuKernel kernel;
	/** The module with the template in constant memory; null if the template is a texture. */
	private CUmodule module;
	/** The template as a texture; null if it is in constant memory. */
	private DeviceArray rows;
	private CUtexObject texture;

	public HandbookMethod(final CudaDevice device, final Template template, final Sliding problem, final boolean constant) {
		template.requireContrast();
		this.device = device;
		width = (int) template.size().get(0);
		height = (int) template.size().get(1);
		pixels = new WholePixels(device, problem.image());
		final CentredTemplate model = CentredTemplate.of(template);
		final int[] centred = model.values();
		sum = (int) model.sum();
		energy = (int) model.energy();
		try {
			kernel = constant ? constant(centred) : textured(centred);
		}
		catch (final RuntimeException | Error failure) {
			close();
			throw failure;
		}
	}

	private GpuKernel constant(final int[] centred) {
		module = device.kernels().load(device.wide(), "handbook").handle();
		final byte[] bytes = new byte[centred.length];
		for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) centred[i];
		final CUdeviceptr to = new CUdeviceptr();
		device.check(JCudaDriver.cuModuleGetGlobal(to, new long[1], module, "constant_template"), "finding the constant template");
		device.check(JCudaDriver.cuMemcpyHtoD(to, Pointer.to(bytes), bytes.length), "sending the constant template");
		device.check(JCudaDriver.cuStreamSynchronize(new CUstream()), "sending the constant template");
		return new GpuKernel(device, module, "texture_constant");
	}

	private GpuKernel textured(final int[] centred) {
		final int pitch = aligned(width);
		final byte[] bytes = new byte[pitch * height];
		for (int y = 0; y < height; y++)
			for (int x = 0; x < width; x++) bytes[y * pitch + x] = (byte) centred[y * width + x];
		rows = DeviceArray.of(device, bytes);
		texture = texture(rows.pointer(), width, height, pitch);
		return device.kernels().get(device.wide(), "handbook", "texture_texture");
	}

	private static int aligned(final int n) {
		return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}

	/** Signed bytes, read as integers; 0 outside. */
	private CUtexObject texture(final CUdeviceptr from, final int width, final int height, final int pitch) {
		final CUDA_RESOURCE_DESC resource = new CUDA_RESOURCE_DESC();
		resource.resType = CUresourcetype.CU_RESOURCE_TYPE_PITCH2D;
		resource.pitch2D_devPtr = from;
		resource.pitch2D_format = CUarray_format.CU_AD_FORMAT_SIGNED_INT8;
		resource.pitch2D_numChannels = 1;
		resource.pitch2D_width = width;
		resource.pitch2D_height = height;
		resource.pitch2D_pitchInBytes = pitch;
		final CUDA_TEXTURE_DESC description = new CUDA_TEXTURE_DESC();
		description.addressMode = new int[] { CUaddress_mode.CU_TR_ADDRESS_MODE_CLAMP, CUaddress_mode.CU_TR_ADDRESS_MODE_CLAMP,
			CUaddress_mode.CU_TR_ADDRESS_MODE_CLAMP };
		description.filterMode = CUfilter_mode.CU_TR_FILTER_MODE_POINT;
		description.flags = AS_INTEGER;
		final CUtexObject made = new CUtexObject();
		device.check(JCudaDriver.cuTexObjectCreate(made, resource, description, null), "creating a texture of " + width + "x" + height);
		return made;
	}

	@Override
	public int pitch(final int lagsX) {
		return aligned(lagsX + width - 1);
	}

	@Override
	public double bytesPerLag() {
		return 8 + 3;
	}

	/** Boxes are small enough for a cancel to take effect soon. */
	@Override
	public long lagsAtOnce(final long lags, final int slabs) {
		return Math.max(1 << 14, Math.min(Math.max(1 << 18, lags / slabs + 1), (1L << 36) / ((long) width * height)));
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final CUdeviceptr image = pixels.enqueue(context, box, raw).pixels();
		final CUtexObject imageTexture = context.texture(image, box.lags[0] + width - 1, box.rows, box.pitch, this::texture);
		final GpuKernel.Grid grid = GpuKernel.Grid.over(box.lags[0], box.lags[1], 1, 32, 8);
		final long handle = Addresses.of(imageTexture);
		if (module != null) context.launch(kernel, grid, 0, handle, box.struct(), sum, energy, out.struct());
		else context.launch(kernel, grid, 0, handle, Addresses.of(texture), box.struct(), out.struct());
	}

	@Override
	public void close() {
		if (texture != null) device.check(JCudaDriver.cuTexObjectDestroy(texture), "closing a texture");
		if (rows != null) rows.close();
		if (module != null) device.check(JCudaDriver.cuModuleUnload(module), "unloading a kernel");
		texture = null;
		rows = null;
		module = null;
	}
}
