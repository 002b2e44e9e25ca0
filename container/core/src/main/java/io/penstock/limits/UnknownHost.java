package io.penstock.limits;

/** The treatment of a request for a host that no context has. */
public enum UnknownHost {
    /** The default host serves the request. */
    DEFAULT,
    /** The request is answered 421. */
    REFUSE
}
