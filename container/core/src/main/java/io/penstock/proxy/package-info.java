/**
 * The PROXY protocol: a proxy begins each connection with the address of its client. It is a layer directly
 * above the socket. Above this layer is TLS or, without TLS, the HTTP connection.
 */
@NullMarked
package io.penstock.proxy;

import org.jspecify.annotations.NullMarked;
