/** Bytes between two threads: segments, their budget, and the two pipes of a connection. */
@NullMarked
package io.penstock.pipe;

import org.jspecify.annotations.NullMarked;
