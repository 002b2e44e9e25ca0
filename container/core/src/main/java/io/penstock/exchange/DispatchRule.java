package io.penstock.exchange;

import io.penstock.exchange.Admission.Mode;

/**
 * Decides when a request is dispatched to a worker. Usually a request is dispatched when its body is complete in memory or on disk, so that
 * the worker never waits for bytes of the client. In the mode {@link Mode#STREAMING}, a request is dispatched when its head has arrived.
 */
public final class DispatchRule {

    /** How much of the body has arrived. */
    public enum Arrived {
        HEAD_ONLY,
        ALL
    }

    private DispatchRule() {}

    public static boolean dispatches(Mode mode, Arrived arrived) {
        return arrived == Arrived.ALL || mode == Mode.STREAMING;
    }
}
