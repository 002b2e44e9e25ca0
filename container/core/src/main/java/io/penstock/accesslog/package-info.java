/** The access log has one line for each request. A separate thread writes the lines. So no request waits for a disk. */
@NullMarked
package io.penstock.accesslog;

import org.jspecify.annotations.NullMarked;
