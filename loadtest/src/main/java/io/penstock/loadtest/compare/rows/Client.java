package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.client.Target;
import java.io.IOException;
import java.time.Duration;

/** A client with many connections, each of which sends the next request as soon as it has its response. */
public interface Client {
    /** Its name in a report. */
    String title();

    /**
     * Sends requests for that time. Thread: any, one at a time; it waits.
     *
     * @throws IOException if the client itself has failed
     */
    Got ask(Target target, Work.Requests work, Duration time) throws IOException, InterruptedException;

    /**
     * The responses that the client got.
     *
     * @param good responses with a status of 2xx
     * @param failed other responses, and requests without one
     * @param seconds the duration
     * @param tail the 99th percentile of the latency, divided by its median; NaN if it is not known
     * @param firstTrouble the first error; empty if there was none
     */
    record Got(long good, long failed, double seconds, double tail, String firstTrouble) {}
}
