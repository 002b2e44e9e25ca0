/** Tests frames and their queue without a server. */
package io.penstock.websocket.frame;
