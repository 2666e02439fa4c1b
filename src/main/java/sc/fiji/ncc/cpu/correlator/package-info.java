/**
 * Direct sums of products of a row of pixels with a template's rows. Each class is one form of the inner loop: shifted copies for plain
 * Java, register blocks for the Vector API. The direct methods call this package. An algorithm is not added here but in {@code cpu.ncc}.
 * Start with {@link sc.fiji.ncc.cpu.correlator.FloatRowCorrelator}.
 */
package sc.fiji.ncc.cpu.correlator;
