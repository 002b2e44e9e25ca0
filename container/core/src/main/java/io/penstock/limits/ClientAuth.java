package io.penstock.limits;

/** Whether clients are asked for certificates. */
public enum ClientAuth {
    NONE,
    /** A client may have one. */
    WANT,
    /** A client without one is refused. */
    NEED
}
