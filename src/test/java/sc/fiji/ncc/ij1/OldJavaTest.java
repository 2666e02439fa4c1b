package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;

import org.junit.jupiter.api.Test;

import ij.IJ;
import ij.plugin.PlugIn;

/** The plugin in an ImageJ whose Java is too old for it. */
class OldJavaTest {

	/** Class file versions: Java 8, and one beyond every Java that runs this test. */
	private static final int JAVA_8 = 52, FUTURE = 999;

	/** A Java that runs the entry class, and no other class of the plugin. */
	private static final class OldJava extends ClassLoader {

		private OldJava() {
			super(OldJavaTest.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith("sc.fiji.ncc.")) return super.loadClass(name, resolve);
			final byte[] code = code(name);
			if (version(code) > JAVA_8) {
				code[6] = (byte) (FUTURE >> 8);
				code[7] = (byte) FUTURE;
			}
			return defineClass(name, code, 0, code.length);
		}
	}

	@Test
	void theEntryOfTheMenuSaysWhichJavaIsNeeded() throws Exception {
		final PlugIn entry = (PlugIn) new OldJava().loadClass(NccPlugIn.class.getName()).getDeclaredConstructor().newInstance();
		IJ.redirectErrorMessages();
		entry.run("sc.fiji.ncc.command.ListDevicesCommand");
		final String message = IJ.getErrorMessage();
		final int needed = version(code(CommandRunner.class.getName())) - JAVA_8 + 8;
		assertTrue(message.startsWith("Normalized cross-correlation needs Java " + needed + " or later. This program runs on Java "
			+ System.getProperty("java.specification.version") + "."), message);
	}

	@Test
	void theEntryIsCompiledForJava8() {
		assertEquals(JAVA_8, version(code(NccPlugIn.class.getName())), "compile with Maven, which compiles this class for Java 8");
	}

	private static byte[] code(final String name) {
		try (InputStream in = OldJavaTest.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
			return in.readAllBytes();
		}
		catch (final IOException e) {
			throw new IllegalStateException(e);
		}
	}

	private static int version(final byte[] code) {
		return (code[6] & 0xff) << 8 | code[7] & 0xff;
	}
}
