/**
 * Shifts between images and the drift of a sequence; its correction is in {@code register.correct}. The entry points {@code Registration}
 * and {@code DriftCorrection} call it; front ends use a few of its classes directly, such as {@code StackLayout}. {@code PairPlan} decides
 * which frames are compared. A new reference mode is a value of {@code option.DriftReference.Kind}; a case in {@code PairPlan}, and in
 * {@code DriftMeasurement}, {@code DriftRun}, {@code ReplayedDriftRun} and {@code ImageSequence} if it differs there; a word in the choices
 * and in {@code reference(...)} of {@code CorrectDriftCommand}; and a word in the text of {@code --reference} of
 * {@code cli.AlignSubcommand}. Start with {@link sc.fiji.ncc.register.DriftMeasurement}.
 */
package sc.fiji.ncc.register;
