/**
 * Shifts between images, the drift of a sequence, and its correction, without the settings of the entry points. Start with
 * {@link sc.fiji.ncc.register.DriftMeasurement}; the correction is in {@link sc.fiji.ncc.register.CorrectedStack}.
 */
package sc.fiji.ncc.register;
