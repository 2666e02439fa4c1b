/**
 * What the Fiji commands and the command line share: the axes of an image ({@link sc.fiji.ncc.front.Axes}), the choice of its channels ({@link
 * sc.fiji.ncc.front.ChannelChoice}), the order and the names of files ({@link sc.fiji.ncc.front.FileOrder}, {@link sc.fiji.ncc.front.OutputFile}), the
 * calibration ({@link sc.fiji.ncc.front.Calibration}), the columns of tables ({@link sc.fiji.ncc.front.TableColumns}), the words of settings ({@link
 * sc.fiji.ncc.front.SettingWords}), and the parsers of numbers, sizes and regions ({@link sc.fiji.ncc.front.WholeNumbers}), of
 * angles and scales ({@link sc.fiji.ncc.front.PoseText}), of borders and of other words ({@link sc.fiji.ncc.front.ChoiceText}). Both front ends call it. It
 * uses the options, {@code pose.PoseGrid} and {@code image.JointImage}. Start with {@link sc.fiji.ncc.front.WholeNumbers}.
 */
package sc.fiji.ncc.front;
