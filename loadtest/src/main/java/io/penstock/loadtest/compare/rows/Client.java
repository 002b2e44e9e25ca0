package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.client.Target;
import java.io.IOException;
import java.time.Duration;

/** A client with many connections. Each connection sends its next request when it has received the response. */
public interface Client {
    /** The name of the client in a report. */
    String title();

    /**
     * Sends requests for the given time, and waits for the end. Thread: any, one thread at a time.
     *
     * @throws IOException if the client itself has failed
     */
    Got ask(Target target, Work.Requests work, Duration time) throws IOException, InterruptedException;

    /**
     * The result of one call of {@link #ask}.
     *
     * @param good the number of responses with a status of 2xx
     * @param failed the number of requests with another response or without a response
     * @param seconds the duration, in seconds
     * @param tail the 99th percentile of the latency, divided by its median; NaN if it is not known
     * @param firstTrouble the first error; empty if there was none
     */
    record Got(long good, long failed, double seconds, double tail, String firstTrouble) {}
}
