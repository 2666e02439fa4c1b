package sc.fiji.ncc;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Report;

/**
 * The greatest response of each lag over several templates, and by which of them it is.
 *
 * @param image of the scores, of floats or, in double precision, of doubles: one response per lag, in [-1, 1], as many dimensions as the image; where it is
 *        undefined for all templates, what undefined responses read
 * @param which the number of the template, counted from 1, of unsigned 8, 16 or 32 bits, whichever is enough; 0 where the response is undefined
 *        for all. Of equal responses the first template's counts.
 * @param origin where the first pixel of both lies, in pixels of the image
 * @param report counts over all templates
 * @param rankings the candidates for each set of templates that went through together
 * @param seconds wall clock, from reading the first pixel to the last response
 */
public record Best(Img<? extends RealType<?>> image, Img<? extends IntegerType<?>> which, long[] origin, Report report, List<Ranking> rankings, double seconds) {

	/**
	 * The scores.
	 *
	 * @throws IllegalStateException if they were computed in double precision
	 */
	@SuppressWarnings("unchecked") // as asked before
	public Img<FloatType> score() {
		if (!(image.getType() instanceof FloatType)) throw new IllegalStateException("the scores were computed in double precision: ask for doubleScore()");
		return (Img<FloatType>) image;
	}

	/**
	 * The scores in double precision.
	 *
	 * @throws IllegalStateException if they were computed in single precision
	 */
	@SuppressWarnings("unchecked") // as asked before
	public Img<DoubleType> doubleScore() {
		if (!(image.getType() instanceof DoubleType)) throw new IllegalStateException("the scores were computed in single precision: ask for score()");
		return (Img<DoubleType>) image;
	}
}
