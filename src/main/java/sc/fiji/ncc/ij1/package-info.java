/**
 * What plain ImageJ 1.x needs: one PlugIn that runs a command by name, its dialog, and a front end. Nothing calls it but ImageJ, by {@code
 * plugins.config}. Start with {@link sc.fiji.ncc.ij1.NccPlugIn}.
 */
package sc.fiji.ncc.ij1;
