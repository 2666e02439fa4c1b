/**
 * The front end inside Fiji: images, tables, overlays and regions of ImageJ 1.x and ImageJ2. imagej-common is reached by reflection in one
 * class. Start with {@link sc.fiji.ncc.command.imagej.SciJavaFrontEnd}.
 */
package sc.fiji.ncc.command.imagej;
