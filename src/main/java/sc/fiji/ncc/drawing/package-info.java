/** Pictures that several front ends draw. They use the JDK alone and no fonts. */
package sc.fiji.ncc.drawing;
