/**
 * What an operation returns or hands over: correlation maps, best scores, matches, reports of streams, stores for maps larger than memory, and
 * the exceptions of the public API. The operations and the sinks create these values; front ends read them. Start with {@link
 * sc.fiji.ncc.result.Response}.
 */
package sc.fiji.ncc.result;
