package io.penstock.limits;

/** The form of a redirect's location on this server. */
public enum Redirects {
    /** Only the path: clients keep their scheme, host and port, also behind a proxy. */
    RELATIVE,
    /** With the scheme, host and port of the request as it arrived here, as the Servlet specification requires. */
    ABSOLUTE
}
