/**
 * Where responses go: maps in memory, maps in a store, the best response over several templates, and local maxima without a map. Runs write into sinks;
 * operations create them. A new kind of result is a new implementation of {@link sc.fiji.ncc.sink.Sinks}. Start with {@code Sinks}.
 */
package sc.fiji.ncc.sink;
