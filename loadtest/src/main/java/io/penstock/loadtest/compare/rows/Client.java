package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.client.Target;
import java.io.IOException;
import java.time.Duration;

/** Asks a server over many connections, each of which asks again as soon as it has its answer. */
interface Client {
    /** What it is called in a report. */
    String title();

    /**
     * Asks for that time. Thread: any, one at a time; it waits.
     *
     * @throws IOException if the client itself has failed
     */
    Got ask(Target target, Work.Requests work, Duration time) throws IOException, InterruptedException;

    /**
     * What it has got.
     *
     * @param good responses of a status of 2xx
     * @param failed other responses, and requests without one
     * @param seconds that it took
     * @param firstTrouble what went wrong; empty if nothing did
     */
    record Got(long good, long failed, double seconds, String firstTrouble) {}
}
