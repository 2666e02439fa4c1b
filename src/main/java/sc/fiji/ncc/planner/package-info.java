/**
 * Chooses the algorithm: ranks candidates by estimated or measured time, remembers measurements as wisdom, and calibrates cost models. It
 * imports the JDK and the planning interfaces only. The operations and front ends call it; algorithms do not. Start with {@link
 * sc.fiji.ncc.planner.Planner}.
 */
package sc.fiji.ncc.planner;
