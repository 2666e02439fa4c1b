package sc.fiji.ncc.track;

import java.util.List;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;

/**
 * How templates are tracked.
 *
 * @param starts the first pixel of each template in the reference frame, in pixels from the frame's first one
 * @param maxShift the largest motion from one frame to the next along each dimension, in pixels; {@link Long#MAX_VALUE} for the whole frame
 * @param least the score below which a template is lost
 * @param follows whether search windows follow the templates
 * @param cuts whether templates are parts of the reference frame
 * @param templates reads the templates, given the reference frame
 * @param rank ranks the candidates for a problem
 */
public record TrackingSettings(List<long[]> starts, long[] maxShift, Update update, double minScore, boolean follows, boolean cuts, Precision precision, int threads,
	Monitor monitor, Function<RandomAccessibleInterval<?>, List<Template>> templates, Function<Problem, Ranking> rank)
{}
