/**
 * The server itself, without protocols and applications: its assembly, threads and connections, its figures, and its shutdown. Not
 * exported; programs use {@code io.penstock.Penstock}.
 */
@NullMarked
package io.penstock.server;

import org.jspecify.annotations.NullMarked;
