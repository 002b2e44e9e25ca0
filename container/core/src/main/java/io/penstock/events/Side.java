package io.penstock.events;

/** One of the two messages of an exchange. */
public enum Side {
    REQUEST,
    RESPONSE
}
