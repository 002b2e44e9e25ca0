package io.penstock.events;

/** One of the two messages of an HTTP exchange: the request or the response. */
public enum Side {
    REQUEST,
    RESPONSE
}
