package io.penstock.limits;

/** What happens to a request for a host that no context has. */
public enum UnknownHost {
    /** The default host serves it. */
    DEFAULT,
    /** It is answered 421. */
    REFUSE
}
