/**
 * Inner loops over rows of numbers, in plain Java and with the Vector API. A class whose name begins with Vector loads only where the module
 * {@code jdk.incubator.vector} is present. The packages that compute call it. It calls nothing. Start with {@link
 * sc.fiji.ncc.loops.Rows}.
 */
package sc.fiji.ncc.loops;
