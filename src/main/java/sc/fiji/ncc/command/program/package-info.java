/**
 * The interface between the commands and the application: the front end, boxes, regions, graphs, macro options. "Program" means ImageJ or Fiji. Nothing
 * here depends on ImageJ. Commands use this package; the packages {@code command.imagej} and {@code ij1} implement it. Start with {@link
 * sc.fiji.ncc.command.program.FrontEnd}.
 */
package sc.fiji.ncc.command.program;
