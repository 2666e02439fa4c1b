/**
 * The definitions of normalized cross-correlation, convolution and deformation, computed so exactly that their own errors do not matter. Tests compare
 * algorithms with {@link sc.fiji.ncc.oracle.ReferenceNcc}, {@link sc.fiji.ncc.oracle.ReferenceConvolution} and {@link
 * sc.fiji.ncc.oracle.ReferenceDeformation}.
 */
package sc.fiji.ncc.oracle;
