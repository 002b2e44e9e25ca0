package io.penstock.exchange;

import io.penstock.exchange.Admission.Mode;

/**
 * When a worker gets a request: when nothing about it can make the worker wait for the client's network, or when somebody asked for
 * it earlier.
 */
public final class DispatchRule {

    /** How much of a body is here. */
    public enum Arrived {
        HEAD_ONLY,
        PART,
        /** As much as the pipe holds, and more is to come. */
        PIPE_FULL,
        ALL
    }

    private DispatchRule() {}

    public static boolean dispatches(Mode mode, Arrived arrived) {
        return switch (arrived) {
            case ALL -> true;
            // Here a body will go on to disk; without a spool it is read by the worker as it comes, with back-pressure.
            case PIPE_FULL -> true;
            case HEAD_ONLY, PART -> mode == Mode.STREAMING;
        };
    }

    /** Whether a request that is dispatched now can make its worker wait for the client. */
    public static boolean streams(Arrived arrived) {
        return arrived != Arrived.ALL;
    }
}
