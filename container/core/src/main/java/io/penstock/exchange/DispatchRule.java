package io.penstock.exchange;

import io.penstock.exchange.Admission.Mode;

/**
 * When a worker gets a request: when nothing about it can make the worker wait for the client's network, which is once its body is
 * complete, in memory or on disk; or at its head, where somebody asked for that.
 */
public final class DispatchRule {

    /** How much of a body is here. */
    public enum Arrived {
        HEAD_ONLY,
        ALL
    }

    private DispatchRule() {}

    public static boolean dispatches(Mode mode, Arrived arrived) {
        return arrived == Arrived.ALL || mode == Mode.STREAMING;
    }

    /** Whether a request that is dispatched now can make its worker wait for the client. */
    public static boolean streams(Arrived arrived) {
        return arrived != Arrived.ALL;
    }
}
