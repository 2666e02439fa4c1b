package sc.fiji.ncc.register;

import java.io.Serializable;
import java.util.ArrayList;

import sc.fiji.ncc.result.FrameShift;

/**
 * A part of the mean of all corrected frames, or the whole mean from its parts.
 *
 * @param boxed whether the frames are of boxes
 * @param round the number of the mean, from 1
 * @param part the number of the part
 * @param shifts the shifts of the frames of the part; null for the whole mean
 */
public record MeanPart(boolean boxed, int round, int part, ArrayList<FrameShift> shifts) implements Serializable {}
