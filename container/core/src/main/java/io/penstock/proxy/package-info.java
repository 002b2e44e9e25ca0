/**
 * The PROXY protocol. A proxy begins each connection with a header that names the address of its client. The protocol is a layer directly
 * above the socket. Above this layer is TLS or, without TLS, the HTTP connection.
 */
@NullMarked
package io.penstock.proxy;

import org.jspecify.annotations.NullMarked;
