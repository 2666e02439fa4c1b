/**
 * Searches of bounded banks on the host: a basis for many members ({@link sc.fiji.ncc.bounded.MemberBasis}), the maps of correlations box by box ({@link
 * sc.fiji.ncc.bounded.MemberBox}), the bounds that leave most windows out, and exact scores of the others.
 * {@link sc.fiji.ncc.bounded.MappedBank} makes algorithms of it, for any device that correlates. Start there.
 */
package sc.fiji.ncc.bounded;
