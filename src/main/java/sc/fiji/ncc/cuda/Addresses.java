package sc.fiji.ncc.cuda;

import java.lang.reflect.Field;

import jcuda.NativePointerObject;
import jcuda.Pointer;

/** The numbers behind JCuda's pointers and handles, which it does not show: structures and other libraries need them. */
final class Addresses {

	private static final Field ADDRESS = field(NativePointerObject.class, "nativePointer"), OFFSET = field(Pointer.class, "byteOffset");

	private Addresses() {}

	private static Field field(final Class<?> of, final String name) {
		try {
			final Field f = of.getDeclaredField(name);
			f.setAccessible(true);
			return f;
		}
		catch (final ReflectiveOperationException e) {
			throw new LinkageError("this version of JCuda has no " + name, e);
		}
	}

	static long of(final NativePointerObject p) {
		try {
			return ADDRESS.getLong(p) + (p instanceof Pointer ? OFFSET.getLong(p) : 0);
		}
		catch (final IllegalAccessException e) {
			throw new LinkageError("JCuda's pointers cannot be read", e);
		}
	}
}
