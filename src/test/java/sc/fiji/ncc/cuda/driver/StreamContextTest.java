package sc.fiji.ncc.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Field;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.RequiredGpu;

/** What a stream keeps. Skipped, with the reason, without a GPU. */
@Tag("gpu")
class StreamContextTest {

	/** Templates of one execution, and those that replace them, share transforms. */
	@Test
	void transformsAreSharedUntilTheContextIsClosed() throws ReflectiveOperationException {
		RequiredGpu.require();
		assumeTrue(Cufft.missing() == null, Cufft.missing());
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		final Field field = StreamContext.class.getDeclaredField("transforms");
		field.setAccessible(true);
		final StreamContext context = new StreamContext(device);
		final Map<?, ?> kept = (Map<?, ?>) field.get(context);
		try (context) {
			final Cufft.Transform first = context.transform(TransformExtents.of(32, 32, 1), Cufft.Type.R2C);
			assertSame(first, context.transform(TransformExtents.of(31, 32, 1), Cufft.Type.R2C), "same extents");
			assertNotSame(first, context.transform(TransformExtents.of(32, 32, 1), Cufft.Type.C2R));
			assertNotSame(first, context.transform(TransformExtents.of(64, 32, 1), Cufft.Type.R2C));
			assertEquals(3, kept.size());
		}
		assertEquals(0, kept.size());
	}
}
