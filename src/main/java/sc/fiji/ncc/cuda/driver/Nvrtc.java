package sc.fiji.ncc.cuda.driver;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;

/** NVIDIA's run-time compiler in the newest installed version. Loaded at the first use. */
final class Nvrtc {

	private static final Libraries.Found FOUND = Libraries.find("nvrtc",
		System.getProperty("os.name").startsWith("Windows") ? List.of("130_0", "120_0", "112_0") : List.of("13", "12", "11.2"),
		"the general kernels in the jar are used instead of kernels for this GPU and template");

	private final NativeLibrary library;
	/** For example 13.0. */
	final String version;

	private Nvrtc(final NativeLibrary library) {
		this.library = library;
		final IntByReference major = new IntByReference(), minor = new IntByReference();
		check(call("nvrtcVersion", major, minor), "nvrtcVersion");
		version = major.getValue() + "." + minor.getValue();
	}

	/** Whether it compiles for GPUs of this compute capability times ten, for example 90. */
	boolean supports(final int architecture) {
		final IntByReference n = new IntByReference();
		check(call("nvrtcGetNumSupportedArchs", n), "nvrtcGetNumSupportedArchs");
		final Memory memory = new Memory(4L * n.getValue());
		check(call("nvrtcGetSupportedArchs", memory), "nvrtcGetSupportedArchs");
		for (final int a : memory.getIntArray(0, n.getValue()))
			if (a == architecture) return true;
		return false;
	}

	/** The compiler; null if there is none. {@link #missing} returns the reason. */
	static Nvrtc get() {
		return Holder.INSTANCE;
	}

	/** The reason why there is no compiler; null if there is one. */
	static String missing() {
		return FOUND.reason();
	}

	private static final class Holder {

		private static final Nvrtc INSTANCE = FOUND.library() == null ? null : new Nvrtc(FOUND.library());
	}

	/**
	 * @param name the name of the source in {@link GpuKernelSource}
	 * @param options the compiler's options, one per string
	 * @return machine code
	 * @throws IllegalStateException if the source does not compile; the message has the compiler's log, the options and the numbered source
	 */
	byte[] compile(final String name, final List<String> options) {
		final PointerByReference program = new PointerByReference();
		final String source = GpuKernelSource.of(name), file = name + ".cu";
		final List<String> headers = GpuKernelSource.headers(name);
		check(call("nvrtcCreateProgram", program, source, file, headers.size(),
			new StringArray(headers.stream().map(GpuKernelSource::header).toArray(String[]::new)), new StringArray(headers.toArray(new String[0]))),
			"nvrtcCreateProgram");
		try {
			final int code = call("nvrtcCompileProgram", program.getValue(), options.size(), new StringArray(options.toArray(new String[0])));
			if (code != 0) throw new IllegalStateException("kernel " + file + " does not compile with " + options + ":\n"
				+ text(program.getValue()) + "\n" + numbered(source));
			final LongByReference size = new LongByReference();
			check(call("nvrtcGetCUBINSize", program.getValue(), size), "nvrtcGetCUBINSize");
			final Memory memory = new Memory(size.getValue());
			check(call("nvrtcGetCUBIN", program.getValue(), memory), "nvrtcGetCUBIN");
			return memory.getByteArray(0, (int) size.getValue());
		}
		finally {
			call("nvrtcDestroyProgram", program);
		}
	}

	private String text(final Pointer program) {
		final LongByReference size = new LongByReference();
		check(call("nvrtcGetProgramLogSize", program, size), "nvrtcGetProgramLogSize");
		final Memory memory = new Memory(Math.max(1, size.getValue()));
		check(call("nvrtcGetProgramLog", program, memory), "nvrtcGetProgramLog");
		return memory.getString(0, StandardCharsets.UTF_8.name());
	}

	static String numbered(final String source) {
		final StringBuilder text = new StringBuilder();
		int n = 1;
		for (final String line : source.split("\n", -1)) text.append(String.format("%4d  %s%n", n++, line));
		return text.toString();
	}

	private int call(final String function, final Object... arguments) {
		return library.getFunction(function).invokeInt(arguments);
	}

	private static void check(final int code, final String what) {
		if (code != 0) throw new IllegalStateException(what + " failed with code " + code);
	}
}
