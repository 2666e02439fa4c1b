/**
 * Turns sums into responses. A row of sums is divided by its norms. Where the estimated error is above the tolerance, the window is computed again. The
 * algorithms of {@code cpu.ncc} use it. Start with {@link sc.fiji.ncc.cpu.response.RowResponses}, then {@link sc.fiji.ncc.cpu.response.Rechecks}.
 */
package sc.fiji.ncc.cpu.response;
