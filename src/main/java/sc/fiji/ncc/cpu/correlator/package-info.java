/**
 * Direct sums of products of a row of pixels with a template's rows. Each class is one form of the sums: shifted copies of a row for plain
 * Java, whose loops are in {@link sc.fiji.ncc.loops.ProductRows}, and register blocks for the Vector API, with their loops. The direct methods call this
 * package. An algorithm is not added here but in {@code cpu.ncc}. Start with {@link sc.fiji.ncc.cpu.correlator.FloatRowCorrelator}.
 */
package sc.fiji.ncc.cpu.correlator;
