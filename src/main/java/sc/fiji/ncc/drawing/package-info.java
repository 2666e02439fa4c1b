/**
 * Pictures of results without a screen: maps in colours, matches, motion over time, the planner's map. Front ends call it. Start with {@link
 * sc.fiji.ncc.drawing.Drawing}.
 */
package sc.fiji.ncc.drawing;
