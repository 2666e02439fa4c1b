package sc.fiji.ncc.command.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

class MacroOptionsTest {

	@Test
	void valuesEndAtABlankOrAtTheirBracket() {
		final MacroOptions options = new MacroOptions(" image=a.tif template=[b [1] c.tif] templates=[] addrois minscore=0.5");
		assertEquals(Optional.of("a.tif"), options.get("image"));
		assertEquals(Optional.of("b [1] c.tif"), options.get("template"));
		assertEquals(Optional.of(""), options.get("templates"));
		assertEquals(Optional.of("true"), options.get("addrois"));
		assertEquals(Optional.of("0.5"), options.get("minscore"));
		assertEquals(Optional.empty(), options.get("maxmatches"));
	}

	@Test
	void aTitleMayHoldBracketsThatDoNotMatch() {
		final MacroOptions open = new MacroOptions("image=[a[1.tif] maxmatches=2"), closed = new MacroOptions("image=[b].tif] maxmatches=2");
		assertEquals(Optional.of("a[1.tif"), open.get("image"));
		assertEquals(Optional.of("2"), open.get("maxmatches"));
		assertEquals(Optional.of("b].tif"), closed.get("image"));
		assertEquals(Optional.of("2"), closed.get("maxmatches"));
		assertEquals(Optional.of("a b"), new MacroOptions("image='a b' maxmatches=2").get("image"));
	}

	@Test
	void aBracketThatIsNeverClosedGoesToTheEnd() {
		assertEquals(Optional.of("[b c"), new MacroOptions("image=[b c").get("image"));
	}

	@Test
	void anUnknownKeyIsRefused() {
		final MacroOptions options = new MacroOptions("image=a minscor=0.5");
		assertTrue(options.givesAny(List.of("image")));
		assertFalse(options.givesAny(List.of("minscore")));
		options.requireKnown(List.of("image", "minscor"), "Find Matches");
		assertEquals("Find Matches has no key 'minscor'. Known keys: image, minscore.",
			assertThrows(IllegalArgumentException.class, () -> options.requireKnown(List.of("image", "minscore"), "Find Matches")).getMessage());
	}

	@Test
	void aKeyGivenTwiceIsRefused() {
		final MacroOptions options = new MacroOptions("image=a image=b");
		assertEquals(Optional.of("a"), options.get("image"));
		assertThrows(IllegalArgumentException.class, () -> options.requireKnown(List.of("image"), "Plan"));
	}
}
