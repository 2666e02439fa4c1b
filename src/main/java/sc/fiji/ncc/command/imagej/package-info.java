/**
 * The front end in Fiji: images, tables, overlays and regions of ImageJ 1.x and ImageJ2. One class calls imagej-common by reflection. Start with {@link sc.fiji.ncc.command.imagej.SciJavaFrontEnd}.
 */
package sc.fiji.ncc.command.imagej;
