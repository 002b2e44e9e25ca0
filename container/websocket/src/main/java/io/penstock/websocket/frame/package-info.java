/** The frames of WebSocket connections (RFC 6455) and their compression (RFC 7692), for servers and clients. */
@NullMarked
package io.penstock.websocket.frame;

import org.jspecify.annotations.NullMarked;
