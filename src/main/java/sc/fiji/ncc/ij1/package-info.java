/**
 * The front end in plain ImageJ 1.x: a PlugIn that runs a command by its class name. Only ImageJ calls this package, by {@code
 * plugins.config}. Start with {@link sc.fiji.ncc.ij1.NccPlugIn}.
 */
package sc.fiji.ncc.ij1;
