/** A chat over WebSocket: an endpoint, the guests, and a queue of messages for each guest. */
package io.penstock.sample.chat;
