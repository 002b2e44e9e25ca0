package io.penstock.limits;

/** How a redirect names a place on this server. */
public enum Redirects {
    /** By its path: clients keep the scheme, host and port by which they came, also through a proxy. */
    RELATIVE,
    /** By scheme, host and port of the request as it arrived here, as the Servlet specification has it. */
    ABSOLUTE
}
