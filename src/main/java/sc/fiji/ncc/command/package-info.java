/**
 * The commands in the menu of Fiji, as SciJava commands: parameters to an op to outputs, nothing else.
 * {@link sc.fiji.ncc.command.FrontEnd} hides what the program around them is; plain ImageJ 1.x has another one, in
 * {@code sc.fiji.ncc.ij1}.
 */
package sc.fiji.ncc.command;
