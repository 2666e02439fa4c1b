/**
 * The SciJava commands of the menu. A command reads its parameters, runs an operation and sets its outputs. A macro key is the field of a parameter, in the
 * command itself or, if commands share it, in its base class. Keys of Find Matches that change the responses are also in {@code
 * FindMatchesCommand.mapSettings()} or {@code CorrelationCommand.sharedMapSettings()}, or the preview shows matches of earlier values. The document macros.md
 * explains each key, or {@code CommandInSciJavaTest} fails. SciJava runs the commands in Fiji; the package {@code ij1} runs them in plain ImageJ. Start with
 * {@link sc.fiji.ncc.command.FindMatchesCommand}.
 */
package sc.fiji.ncc.command;
