/** The access log: a line for each request. A separate thread writes the lines, so that no request waits for a disk. */
@NullMarked
package io.penstock.accesslog;

import org.jspecify.annotations.NullMarked;
