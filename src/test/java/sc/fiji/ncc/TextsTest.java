package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

import net.imglib2.FinalInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.track.Update;

/** The texts of operations, options and results are for people: a script prints them. */
class TextsTest {

	/** The text of {@link Object}, of an array, or of a record without a text of its own. */
	private static final String RAW = "(?s).*(@[0-9a-f]{4,}\\b|\\b[A-Z]\\w+\\[\\w+=).*";

	/** Every class of the API that has objects declares a text, and shows no address. */
	@Test
	void everyTypeHasAText() throws ReflectiveOperationException {
		final List<String> wrong = new ArrayList<>();
		int texts = 0;
		for (final Class<?> type : NullArgumentsTest.API) {
			if (type.isInterface() || type.isEnum() || isOfStaticMethods(type)) continue;
			final Class<?> declares = type.getMethod("toString").getDeclaringClass();
			if (declares == Object.class || declares == Record.class) wrong.add(type.getName() + " has no text");
			else texts++;
		}
		for (final Object o : NullArgumentsTest.samples()) if (o.toString().matches(RAW)) wrong.add(o.getClass().getName() + ": " + o);
		assertEquals(List.of(), wrong);
		assertTrue(texts > 25, texts + " texts");
	}

	private static boolean isOfStaticMethods(final Class<?> type) {
		for (final var m : type.getDeclaredMethods()) if (Modifier.isPublic(m.getModifiers()) && !Modifier.isStatic(m.getModifiers())) return false;
		return true;
	}

	@Test
	void operationsSayWhatTheyDo() {
		final NormalizedCrossCorrelation one = NormalizedCrossCorrelation.of(ArrayImgs.floats(32, 24));
		assertEquals("normalized cross-correlation of a 32x24 template, valid positions", one.toString());
		assertEquals("normalized cross-correlation of 2 templates of 5x4 and other sizes, full positions",
			NormalizedCrossCorrelation.of(List.of(ArrayImgs.floats(5, 4), ArrayImgs.floats(6, 4))).extent(Extent.FULL).toString());
		assertEquals("matches with a score of at least 0.5, by " + one, TemplateMatching.with(one).toString());
		assertEquals("matches with 0.1 expected false alarms, by " + one, TemplateMatching.with(one).falseAlarms(0.1).toString());
		assertEquals("convolution with a 5x5 kernel, same positions", Convolution.of(ArrayImgs.floats(5, 5)).toString());
		final TemplateTracking tracking = TemplateTracking.ofRegions(List.of(FinalInterval.createMinSize(1, 1, 7, 7), FinalInterval.createMinSize(2, 2, 7, 7)));
		assertEquals("tracking of 2 templates of 7x7, update fixed", tracking.toString());
		assertEquals("tracking of 2 templates of 7x7, maximum shift 9x0, update mean with weight 0.2, anchored below 0.7",
			tracking.maxShift(9, 0).update(Update.mean(0.2).anchoredBelow(0.7)).toString());
		assertEquals("tracking of 2 templates of 7x7, in the whole frame, update previous", tracking.everywhere().update(Update.PREVIOUS).toString());
		assertEquals("registration with an image of 64x48 pixels, maximum shift 9x9", Registration.of(ArrayImgs.floats(64, 48)).maxShift(9, 9).toString());
		assertEquals("drift correction of frames of 2 dimensions, reference multi", DriftCorrection.ofFrames(2).toString());
		assertEquals("mirror constant:3.0", Border.MIRROR + " " + Border.constant(3));
	}
}
