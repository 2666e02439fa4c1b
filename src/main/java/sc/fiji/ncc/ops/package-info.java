/**
 * The entry points under names of SciJava Ops ({@link sc.fiji.ncc.ops.NccOps}). The annotation processor {@code scijava-ops-indexer} lists them in {@code
 * ops.yaml} at compile time. At run time nothing of SciJava Ops is needed. Start with {@code NccOps}.
 */
package sc.fiji.ncc.ops;
