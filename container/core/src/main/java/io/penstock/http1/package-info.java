/** HTTP/1.1 connections: framing of requests and responses, order of responses, reuse and close of connections (RFC 9112). */
@NullMarked
package io.penstock.http1;

import org.jspecify.annotations.NullMarked;
