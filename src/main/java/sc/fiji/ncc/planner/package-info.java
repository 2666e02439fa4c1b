/**
 * Chooses the algorithm: ranks candidates by estimated or measured time, remembers measurements as wisdom, and calibrates cost models. The interfaces of
 * algorithms are in {@code plan}. This package imports the JDK and {@code plan} only. The operations and front ends call it; algorithms do not. Start with
 * {@link sc.fiji.ncc.planner.Planner}.
 */
package sc.fiji.ncc.planner;
