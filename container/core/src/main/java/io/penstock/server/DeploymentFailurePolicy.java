package io.penstock.server;

/** Whether a server starts when one of its applications cannot be deployed or started. */
public enum DeploymentFailurePolicy {
    /** The server does not start: an embedding program needs all its applications. */
    NOBODY_SERVES,
    /** The server starts if at least one application has started: for an operator, one failed application is better than no server. */
    OTHERS_SERVE
}
