package sc.fiji.ncc.result;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * The greatest response of each lag over several templates, and the number of its template.
 *
 * @param image the scores, one per lag, in [-1, 1]: an image of floats or, in double precision, of doubles, with as many dimensions as the input image. Where
 *        the response is undefined for all templates, the score has the value chosen by {@link sc.fiji.ncc.option.Undefined}
 * @param template the number of the template, counted from 1, in unsigned 8, 16 or 32 bits as needed; 0 where the response is undefined for all templates.
 *        Of equal responses the first template's counts
 * @param origin the position of the first pixel of both images, in pixels of the input image
 * @param report the counts of all templates together
 * @param rankings the candidates of each group of templates computed together
 * @param seconds the elapsed time from reading the first pixel to the last response, without the time of measuring candidates
 */
public record Best(Img<? extends RealType<?>> image, Img<? extends IntegerType<?>> template, long[] origin, Report report,
	List<Ranking> rankings, double seconds) {

	public Best {
		Given.nonNull(image, "image");
		Given.nonNull(template, "image of templates");
		Given.nonNull(origin, "origin");
		Given.nonNull(report, "report");
		Given.nonNull(rankings, "list of rankings");
	}

	/**
	 * The scores in single precision.
	 *
	 * @throws IllegalStateException if the precision is double
	 */
	@SuppressWarnings("unchecked") // the type is checked below
	public Img<FloatType> score() {
		if (!(image.getType() instanceof FloatType)) throw new IllegalStateException("the scores have double precision: call doubleScore()");
		return (Img<FloatType>) image;
	}

	/**
	 * The scores in double precision.
	 *
	 * @throws IllegalStateException if the precision is single
	 */
	@SuppressWarnings("unchecked") // the type is checked below
	public Img<DoubleType> doubleScore() {
		if (!(image.getType() instanceof DoubleType)) throw new IllegalStateException("the scores have single precision: call score()");
		return (Img<DoubleType>) image;
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
