/**
 * The PROXY protocol: a proxy begins each connection with the address of its client. It is a layer between sockets and TLS or
 * conversations.
 */
@NullMarked
package io.penstock.proxy;

import org.jspecify.annotations.NullMarked;
