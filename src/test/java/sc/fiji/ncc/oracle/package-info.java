/**
 * The definitions of normalized cross-correlation and convolution, computed so exactly that their own errors do not matter. Tests compare algorithms with {@link
 * sc.fiji.ncc.oracle.ReferenceNcc} and {@link sc.fiji.ncc.oracle.ReferenceConvolution}.
 */
package sc.fiji.ncc.oracle;
