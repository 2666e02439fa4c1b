/**
 * Tracking of templates through frames: search windows, update policies, the two highest peaks, tracks and drift. {@link
 * sc.fiji.ncc.TemplateTracking} calls it. Start with {@link sc.fiji.ncc.track.TrackingRun}, then {@link sc.fiji.ncc.track.TemplateSearch}.
 */
package sc.fiji.ncc.track;
