/** Stitching: accuracy on mosaics with known truth beside the common way, and times. Start with {@link sc.fiji.ncc.bench.stitch.StitchBench}. */
package sc.fiji.ncc.bench.stitch;
