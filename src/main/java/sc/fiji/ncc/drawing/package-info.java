/** Pictures that more than one front end draws, on the JDK alone and without fonts. */
package sc.fiji.ncc.drawing;
