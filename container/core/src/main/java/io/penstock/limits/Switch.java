package io.penstock.limits;

/** What can be switched on. */
public enum Switch {
    ON,
    OFF
}
