package sc.fiji.ncc.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Field;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.CudaCard;

/** What a stream keeps. Skipped, with the reason, without a GPU. */
@Tag("gpu")
class StreamContextTest {

	private static final int TEMPLATES = 200;

	/** A stream stays as long as an execution, whose templates can be replaced for each frame. */
	@Test
	void transformsOfReplacedTemplatesAreForgotten() throws ReflectiveOperationException, InterruptedException {
		CudaCard.require();
		assumeTrue(Cufft.missing() == null, Cufft.missing());
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		final Field field = StreamContext.class.getDeclaredField("transforms");
		field.setAccessible(true);
		try (StreamContext context = new StreamContext(device)) {
			for (int i = 0; i < TEMPLATES; i++)
				try (Transforms transforms = new Transforms()) {
					context.transform(transforms, Transforms.Extents.of(32, 32, 1), Cufft.Type.R2C);
				}
			final Map<?, ?> kept = (Map<?, ?>) field.get(context);
			for (int i = 0; i < 50 && kept.size() > TEMPLATES / 2; i++) {
				System.gc();
				Thread.sleep(20);
			}
			assertTrue(kept.size() <= TEMPLATES / 2, kept.size() + " transforms are kept");
		}
	}
}
