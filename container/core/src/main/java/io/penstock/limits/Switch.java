package io.penstock.limits;

/** A switch. */
public enum Switch {
    ON,
    OFF
}
