package io.penstock.exchange;

import io.penstock.exchange.Admission.Mode;

/**
 * Decides when a worker gets a request. Usually a worker gets a request when its body is complete, in memory or on disk. Then the worker
 * never waits for the client's bytes. A streaming request is dispatched when its head has arrived.
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

    /** Whether the worker of a request that is dispatched now may have to wait for the client. */
    public static boolean streams(Arrived arrived) {
        return arrived != Arrived.ALL;
    }
}
