package io.penstock.exchange;

import io.penstock.exchange.Admission.Mode;

/**
 * When a worker gets a request. Usually this is when its body is complete, in memory or on disk, so the worker never waits for the client
 * to send. A streaming request is dispatched at its head.
 */
public final class DispatchRule {

    /** How much of a body has arrived. */
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
