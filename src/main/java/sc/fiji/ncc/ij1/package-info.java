/**
 * What plain ImageJ 1.x needs to run the commands of {@code sc.fiji.ncc.command}: one PlugIn that takes a command's parameters from the
 * macro's options or from a dialog made of them, and shows what comes out. In Fiji the commands themselves are in the menu.
 */
package sc.fiji.ncc.ij1;
