/**
 * A multiplexed HTTP/1.1 client: many connections on one thread. The events of each connection are reported by callbacks, and no code on
 * this thread waits.
 *
 * <pre>
 *   HttpConnection       one connection; requests may be pipelined; each call has a deadline
 *     └ Wire             sends and receives the bytes of one socket; calls a Conversation
 *         └ ClientLoop   the thread, its selector, its clock and its wheel of deadlines
 * </pre>
 *
 * Each layer can be used by itself: a load generator uses {@code HttpConnection}s, and a client that is slow on purpose uses a {@code
 * Wire}. Every failure is a {@link io.penstock.loadtest.client.Failure}. Sending the same request again allocates no memory.
 */
@NullMarked
package io.penstock.loadtest.client;

import org.jspecify.annotations.NullMarked;
