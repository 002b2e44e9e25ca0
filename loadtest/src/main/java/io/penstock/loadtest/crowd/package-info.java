/**
 * Simulates many slow clients that hold connections to a server: uploads, readers, half-sent heads and handshakes, and idle connections.
 */
@NullMarked
package io.penstock.loadtest.crowd;

import org.jspecify.annotations.NullMarked;
