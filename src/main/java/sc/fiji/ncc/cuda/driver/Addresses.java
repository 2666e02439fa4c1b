package sc.fiji.ncc.cuda.driver;

import java.lang.reflect.Field;

import jcuda.NativePointerObject;
import jcuda.Pointer;

/** The native addresses of JCuda's pointers and handles. Structures and other libraries need them, but JCuda does not publish them. */
public final class Addresses {

	private static final Field ADDRESS = field(NativePointerObject.class, "nativePointer"), OFFSET = field(Pointer.class, "byteOffset");

	private Addresses() {}

	private static Field field(final Class<?> owner, final String name) {
		try {
			final Field f = owner.getDeclaredField(name);
			f.setAccessible(true);
			return f;
		}
		catch (final ReflectiveOperationException e) {
			throw new LinkageError("this version of JCuda has no field " + name + ": use the version of the plugin", e);
		}
	}

	public static long of(final NativePointerObject p) {
		try {
			return ADDRESS.getLong(p) + (p instanceof Pointer ? OFFSET.getLong(p) : 0);
		}
		catch (final IllegalAccessException e) {
			throw new LinkageError("JCuda's pointers cannot be read", e);
		}
	}
}
