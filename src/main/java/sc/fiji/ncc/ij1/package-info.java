/**
 * The entries of {@code plugins.config}, and the front end in plain ImageJ 1.x: a PlugIn that runs a command by its class name. Only ImageJ calls this
 * package. Start with {@link sc.fiji.ncc.ij1.NccPlugIn}.
 */
package sc.fiji.ncc.ij1;
