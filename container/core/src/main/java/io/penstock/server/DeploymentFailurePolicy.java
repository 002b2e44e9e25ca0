package io.penstock.server;

/** Whether a server starts if one of several applications cannot be deployed or started. */
public enum DeploymentFailurePolicy {
    /** Nothing is served: a program that embeds the server wants all that it asked for. */
    NOBODY_SERVES,
    /** The others are served, unless there is none: an operator would have one application down and not all. */
    OTHERS_SERVE
}
