/**
 * Correlation of whole frames with each other at all shifts, over the part that overlaps. A frame is transformed once and correlated with any number of other
 * frames. {@code CpuFrames} and {@code CpuResample} call it, and {@code
 * register.correct}, which moves frames on the CPU. Start with {@link sc.fiji.ncc.cpu.frame.FrameCorrelator}.
 */
package sc.fiji.ncc.cpu.frame;
