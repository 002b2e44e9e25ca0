/** A chat over WebSocket: an endpoint, the people, and what waits for each of them. */
package io.penstock.sample.chat;
