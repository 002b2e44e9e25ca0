/** A line for each request, written by a thread of its own so that no request waits for a disk. */
@NullMarked
package io.penstock.accesslog;

import org.jspecify.annotations.NullMarked;
