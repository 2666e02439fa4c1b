/**
 * The SciJava commands of the menu: from parameters to an operation to outputs, nothing else. A macro key is a parameter of a command here.
 * SciJava, and plain ImageJ through {@code ij1}, run them. Start with {@link sc.fiji.ncc.command.FindMatchesCommand}.
 */
package sc.fiji.ncc.command;
