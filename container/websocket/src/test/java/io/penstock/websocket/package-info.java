/** Endpoints, and clients that speak with them. */
package io.penstock.websocket;
