/**
 * How work is carried out: one call of an operation that slides ({@link sc.fiji.ncc.run.SlidingCall}), the queue of boxes, the failover to the next
 * candidate ({@link sc.fiji.ncc.run.Failover}), and streams of frames. The operations call it. It calls the planner's plans and the sinks. Execution
 * inside a backend is in {@code cpu.execution} and {@code cuda.run}. Start with {@link sc.fiji.ncc.run.SlidingCall}.
 */
package sc.fiji.ncc.run;
