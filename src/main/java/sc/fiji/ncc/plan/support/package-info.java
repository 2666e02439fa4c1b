/** What backends and operations share: threads, buffers, groups and rows of pixels. It imports the JDK and {@code plan} only. */
package sc.fiji.ncc.plan.support;
