/** Jakarta WebSocket 2.2 for applications of the container. The implementation is Eclipse Tyrus, with additional limits for memory. */
@NullMarked
package io.penstock.websocket;

import org.jspecify.annotations.NullMarked;
