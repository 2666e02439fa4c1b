package sc.fiji.ncc.cpu.window;

/** Data of one image that all its tiles share, computed when the first tile needs it. {@link Numerator#use} receives it. Shared by all threads. */
public interface FrameData {}
