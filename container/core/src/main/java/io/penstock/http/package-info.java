/** The grammar of RFC 9110 and RFC 9112, as functions over bytes. The package uses no threads, sockets or servlets. */
@NullMarked
package io.penstock.http;

import org.jspecify.annotations.NullMarked;
