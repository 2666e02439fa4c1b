/**
 * What the Fiji commands and the command line share: the meaning of axes, and how texts become numbers, boxes and options. Both front ends
 * call it; it calls the public API. Start with {@link sc.fiji.ncc.front.Axes}.
 */
package sc.fiji.ncc.front;
