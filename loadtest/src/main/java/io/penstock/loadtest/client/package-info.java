/**
 * A multiplexed HTTP/1.1 client: many connections on one thread, each of them told what happens on it and never waiting.
 *
 * <pre>
 *   MultiplexedClient   for any thread: fetch(url, deadline), and the same as a future; keeps connections, bounds them
 *     └ HttpConnection  for code on the loop: one connection; requests may be pipelined; a deadline a call
 *         └ Wire        for code on the loop: bytes in and out of one socket, a Conversation hears of them
 *             └ ClientLoop   the thread, its selector, its clock and its wheel of deadlines
 * </pre>
 *
 * Each storey can be used by itself: a load generator drives {@code HttpConnection}s, a client that is slow on purpose
 * speaks over a {@code Wire}. Whatever fails says which {@link io.penstock.loadtest.client.Failure} it is. On the way of a
 * request that is sent again and again nothing is allocated.
 */
@NullMarked
package io.penstock.loadtest.client;

import org.jspecify.annotations.NullMarked;
