/** Selector threads with their channels, deadlines, and command queues. This package contains no HTTP code. */
@NullMarked
package io.penstock.reactor;

import org.jspecify.annotations.NullMarked;
