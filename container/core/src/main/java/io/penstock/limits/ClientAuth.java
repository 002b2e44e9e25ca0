package io.penstock.limits;

/** Whether clients are asked for certificates. */
public enum ClientAuth {
    NONE,
    /** A client may have a certificate. */
    WANT,
    /** A client without a certificate is refused. */
    NEED
}
