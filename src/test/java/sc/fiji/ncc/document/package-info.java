/**
 * The numbers, tables and pictures of the documents, and their tests. {@code sc.fiji.ncc.bench.document} measures and draws them; what is here needs
 * none of its dependencies.
 */
package sc.fiji.ncc.document;
