/**
 * The choices a caller makes, as immutable records ({@link sc.fiji.ncc.option.Components} copies them with one other value): which lags
 * have a response ({@link sc.fiji.ncc.option.Extent}), the pixels outside the image ({@link sc.fiji.ncc.option.Border}),
 * the value of an undefined response, and how to compute ({@link sc.fiji.ncc.option.ComputeOptions}). Plain values, and the numbers that
 * they can have ({@link sc.fiji.ncc.option.Range}). Every package above the planner may use them; backends do not. A border policy is a
 * value of {@link sc.fiji.ncc.option.Border.Kind}. A new policy needs: the value; in {@code layout.ResponseLayout}, whether windows beyond
 * the image have responses; if it has pixels there, these pixels in both {@code image.ImagePixels} and {@code image.ArrayBlocks}; the
 * choices of the parameter {@code border} in the three commands that have it; and the texts of {@code --border} in
 * {@code cli.CommonOptions} and {@code cli.ConvolveSubcommand}. {@code front.ChoiceText} reads it without a change. The parameter
 * {@code border} of the drift commands is another choice, {@link sc.fiji.ncc.option.Outside}: what a moved frame shows where it has no
 * pixels. A reference of a drift is a value of {@link sc.fiji.ncc.option.DriftReference.Kind}. Choices for poses are in {@code pose}. Start
 * with {@link sc.fiji.ncc.option.Extent}.
 */
package sc.fiji.ncc.option;
