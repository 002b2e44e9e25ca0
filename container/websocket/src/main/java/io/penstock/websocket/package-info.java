/** Jakarta WebSocket 2.2 for applications of the container: endpoints of the server, and clients. */
@NullMarked
package io.penstock.websocket;

import org.jspecify.annotations.NullMarked;
