/** Jakarta WebSocket 2.2 for the container's applications: Eclipse Tyrus, within the container's bounds. */
@NullMarked
package io.penstock.websocket;

import org.jspecify.annotations.NullMarked;
