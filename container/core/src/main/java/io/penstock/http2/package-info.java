/** HTTP/2 (RFC 9113) and its compression of heads, HPACK (RFC 7541). */
@NullMarked
package io.penstock.http2;

import org.jspecify.annotations.NullMarked;
