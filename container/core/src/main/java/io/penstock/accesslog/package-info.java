/** Writes a line for each request, on its own thread, so that no request waits for a disk. */
@NullMarked
package io.penstock.accesslog;

import org.jspecify.annotations.NullMarked;
