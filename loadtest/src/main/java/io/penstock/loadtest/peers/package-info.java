/**
 * The servers that are compared. Each server runs in its own process, and reports figures about itself on request. The classes start the
 * processes, and end them after the measurement.
 */
@NullMarked
package io.penstock.loadtest.peers;

import org.jspecify.annotations.NullMarked;
