/**
 * What backends and operations share: threads, buffers, groups and progress. It imports the JDK and {@code plan} only. Start with {@link
 * sc.fiji.ncc.plan.support.Parallel}.
 */
package sc.fiji.ncc.plan.support;
