package sc.fiji.ncc.register;

import java.io.Serializable;
import java.util.ArrayList;

import sc.fiji.ncc.motion.DeformationFit.Fitted;

/**
 * The fit of the deformation of a frame.
 *
 * @param round 0 against a frame, otherwise the number of the mean against which it is measured
 * @param reference the frame in round 0
 * @param frame the index of the frame
 * @param start what is known of its motion: the components of a vector for each window, or one value for all of them
 * @param coarse whether to begin with a search
 */
public record FitTask(int round, int reference, int frame, double[][] start, boolean coarse) implements Serializable {

	/**
	 * The result of a task.
	 *
	 * @param fitted null if too few windows show an object
	 */
	public record Result(int frame, Fitted fitted) implements Serializable {}

	/**
	 * A part of the mean of frames that are corrected by what is known of them, or the whole mean from its parts.
	 *
	 * @param round the number of the mean, from 1
	 * @param part the number of the part
	 * @param frames the frames of the part; null for the whole mean
	 */
	public record Mean(int round, int part, ArrayList<FitTask> frames) implements Serializable {}
}
