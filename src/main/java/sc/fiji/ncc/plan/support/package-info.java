/**
 * What backends and operations share: threads, buffers, maps in memory, groups, progress, and the next alternative after a failure ({@link
 * sc.fiji.ncc.plan.support.Alternatives}). It imports the JDK and {@code plan} only. Start with {@link
 * sc.fiji.ncc.plan.support.Parallel}.
 */
package sc.fiji.ncc.plan.support;
