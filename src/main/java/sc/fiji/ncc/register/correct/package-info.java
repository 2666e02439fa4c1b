/**
 * The correction of a drift: frames that are moved by shifts between the pixels, with interpolation, and what they show where they have no pixels. The entry
 * points, front ends and {@code register} call this package. Start with {@link sc.fiji.ncc.register.correct.CorrectedStack}.
 */
package sc.fiji.ncc.register.correct;
