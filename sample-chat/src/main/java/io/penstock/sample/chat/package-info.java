/** A chat over WebSocket: an endpoint, the guests, and the messages that wait for each of them. */
package io.penstock.sample.chat;
