package io.penstock.loadtest.starve;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result for one kind of slow client.
 *
 * @param notTried the reason why it was not tried; empty if it was
 * @param endedEarly the bound that ended the search before its end; empty if none did
 * @param stopped the step with the fewest slow clients that stopped the server; null if none did
 * @param served the step with the most slow clients beside which the server answered; null if there was none
 * @param recovery from the end of the slow clients that stopped the server until it answered again; null if no recovery was seen
 */
record Finding(
        SlowKind kind,
        String notTried,
        String endedEarly,
        @Nullable Step stopped,
        @Nullable Step served,
        @Nullable Duration recovery) {

    /**
     * Normal requests beside a number of slow clients.
     *
     * @param standing the slow clients that held their connection when the requests began
     * @param sent bytes of all slow clients in this step, with their heads
     * @param bytesASecond that they send or read together, by their pace
     */
    record Step(int clients, int standing, long sent, double bytesASecond, Answered answered) {}

    static Finding notTried(SlowKind kind, String reason) {
        return new Finding(kind, reason, "", null, null, null);
    }
}
