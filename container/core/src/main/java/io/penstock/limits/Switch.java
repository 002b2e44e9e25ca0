package io.penstock.limits;

/** On or off. */
public enum Switch {
    ON,
    OFF
}
