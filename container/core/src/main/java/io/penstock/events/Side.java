package io.penstock.events;

/** Which of the two messages of an exchange. */
public enum Side {
    REQUEST,
    RESPONSE
}
