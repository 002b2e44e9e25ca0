/** Tests WebSocket endpoints with several kinds of clients. */
package io.penstock.websocket;
