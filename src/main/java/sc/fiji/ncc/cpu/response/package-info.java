/**
 * From sums to responses: the rows of a tile are divided by their norms, their estimated errors are compared with the tolerance, and single windows are computed
 * again. The algorithms of {@code cpu.ncc} use it. Start with {@link sc.fiji.ncc.cpu.response.RowResponses}, then {@link
 * sc.fiji.ncc.cpu.response.Rechecks}.
 */
package sc.fiji.ncc.cpu.response;
