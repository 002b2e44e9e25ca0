/** One HTTP/1.1 client's conversation: framing in, framing out, order, reuse and close (RFC 9112). */
@NullMarked
package io.penstock.http1;

import org.jspecify.annotations.NullMarked;
