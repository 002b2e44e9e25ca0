/**
 * Pipes that pass bytes from one thread to another: the pipes for requests and responses, their segments, and the memory budget of the
 * segments.
 */
@NullMarked
package io.penstock.pipe;

import org.jspecify.annotations.NullMarked;
