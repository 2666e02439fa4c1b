/**
 * Templates through the frames of a stream: where each is looked for, what it becomes from frame to frame, and what is known of its motion. No
 * image and no correlation: {@link sc.fiji.ncc.TemplateTracking} has both.
 */
package sc.fiji.ncc.track;
