/**
 * Motion fields: the motion of windows on a grid between two frames, in several passes, with the validation, the replacement and the smoothing of vectors.
 * Start with {@link sc.fiji.ncc.motion.MotionRun}, then {@link sc.fiji.ncc.motion.WindowSearch}.
 */
package sc.fiji.ncc.motion;
