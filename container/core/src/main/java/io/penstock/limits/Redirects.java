package io.penstock.limits;

/** The form of the location in a redirect to this server. */
public enum Redirects {
    /** Only the path. A client keeps its scheme, host and port, so this form also works behind a proxy. */
    RELATIVE,
    /**
     * A complete URL, with the scheme, host and port of the request as it reached the server. The Servlet specification requires this form.
     */
    ABSOLUTE
}
