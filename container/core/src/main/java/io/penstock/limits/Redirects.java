package io.penstock.limits;

/** The form of the location in a redirect to this server. */
public enum Redirects {
    /** Only the path: clients keep their scheme, host and port, which also works behind a proxy. */
    RELATIVE,
    /** With the scheme, host and port of the request as it reached the server. The Servlet specification requires this form. */
    ABSOLUTE
}
