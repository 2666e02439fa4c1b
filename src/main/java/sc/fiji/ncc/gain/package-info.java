/**
 * What the Vector API of Java brings on this computer: {@link sc.fiji.ncc.gain.VectorGain} measures it by correlations in two other JVMs.
 * The lists of devices call this package. Start with {@code VectorGain}.
 */
package sc.fiji.ncc.gain;
