/**
 * A multiplexed HTTP/1.1 client: many connections on one thread. Each connection gets its events by callbacks, and never waits.
 *
 * <pre>
 *   MultiplexedClient for any thread: fetch(url, deadline), and the same as a future; keeps connections, bounds them └
 *   HttpConnection for code on the loop: one connection; requests may be pipelined; a deadline for each call └ Wire for code on
 *   the loop: bytes in and out of one socket, a Conversation hears of them └ ClientLoop the thread, its selector, its clock and
 *   its wheel of deadlines
 * </pre>
 *
 * Each layer can be used by itself: a load generator uses {@code HttpConnection}s, and a client that is slow on purpose uses a
 * {@code Wire}. Every failure is a {@link io.penstock.loadtest.client.Failure}. A request that is sent again and again allocates
 * nothing.
 */
@NullMarked
package io.penstock.loadtest.client;

import org.jspecify.annotations.NullMarked;
