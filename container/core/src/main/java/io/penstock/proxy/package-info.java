/**
 * The PROXY protocol: a proxy that passes bytes on says first from whom they come. A layer between sockets and TLS or conversations.
 */
@NullMarked
package io.penstock.proxy;

import org.jspecify.annotations.NullMarked;
