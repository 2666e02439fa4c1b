/** One command that measures and draws what the documents show, see {@link sc.fiji.ncc.bench.document.Documents}. */
package sc.fiji.ncc.bench.document;
