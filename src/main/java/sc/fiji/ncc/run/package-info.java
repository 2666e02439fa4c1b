/**
 * How work is carried out: the queue of boxes with fallback to the next device, and streams of frames. The operations call it. It
 * calls the planner's plans and the sinks. Execution inside a backend is in {@code cpu.execution} and {@code cuda.run}. Start with {@link sc.fiji.ncc.run.BoxQueue}.
 */
package sc.fiji.ncc.run;
