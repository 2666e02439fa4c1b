package sc.fiji.ncc.cuda.method;

import sc.fiji.ncc.numeric.Int128;
import sc.fiji.ncc.plan.Template;

/**
 * An 8- or 16-bit template without a mask, minus the middle of the range of its type.
 *
 * @param values T, x fastest
 * @param sum ΣT
 * @param energy ΣT²
 * @param norm √(N·ΣT² - (ΣT)²)
 */
public record CentredTemplate(int[] values, long sum, long energy, double norm) {

	public static CentredTemplate of(final Template t) {
		final int[] values = new int[t.values().length];
		final double centre = WholePixels.centre(t.type());
		long sum = 0, energy = 0;
		for (int i = 0; i < values.length; i++) {
			values[i] = (int) (t.values()[i] - centre);
			sum += values[i];
			energy += (long) values[i] * values[i];
		}
		return new CentredTemplate(values, sum, energy, Math.sqrt(Int128.difference(values.length, energy, sum, sum)));
	}
}
