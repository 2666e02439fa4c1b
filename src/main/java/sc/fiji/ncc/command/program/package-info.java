/**
 * What a command needs from the program around it, without naming ImageJ: the front end, tables, boxes, regions, graphs, macro options.
 * Commands use it; the packages {@code command.imagej} and {@code ij1} implement it. Start with {@link sc.fiji.ncc.command.program.FrontEnd}.
 */
package sc.fiji.ncc.command.program;
