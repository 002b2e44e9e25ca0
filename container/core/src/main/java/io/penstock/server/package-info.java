/**
 * The server itself, without protocols and applications: the start and the shutdown, the threads, the connections, and the metrics. The
 * package is not exported. Programs use {@code io.penstock.Penstock}.
 */
@NullMarked
package io.penstock.server;

import org.jspecify.annotations.NullMarked;
