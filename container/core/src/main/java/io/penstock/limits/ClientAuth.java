package io.penstock.limits;

/** Whether clients are asked for certificates. */
public enum ClientAuth {
    NONE,
    /** A client is asked for a certificate, but can connect without a certificate. */
    WANT,
    /** A client is asked for a certificate, and is refused without a certificate. */
    NEED
}
