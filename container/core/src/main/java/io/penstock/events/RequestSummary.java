package io.penstock.events;

import java.time.Instant;

/**
 * One request from its first byte to the last byte of its answer: a line of an access log.
 *
 * @param user whose request it is, where the application knows by a login of the server's; empty where nobody knows
 * @param status of the response, 0 if there was none
 * @param reason why it was refused, given up or gone, for the operator; empty if it was answered
 */
public record RequestSummary(
        Request request, String user, Outcome outcome, int status, String reason, Volume volume, Times times) {

    /** How it ended. */
    public enum Outcome {
        /** A worker answered, and the client's connection has taken the whole answer. */
        ANSWERED,
        /** Answered without a worker, and the client's connection has taken the whole answer. */
        REFUSED,
        /** The response was given up before it was complete. */
        ABORTED,
        /** The connection ended before it had taken the whole answer. */
        GONE
    }

    /**
     * How many bytes.
     *
     * @param received of the request's body, without framing
     * @param sent of the response, taken by the client's connection, with head and framing
     * @param requestOnDisk written to disk of the request's body
     * @param responseOnDisk written to disk of the response
     */
    public record Volume(long received, long sent, long requestOnDisk, long responseOnDisk) {}

    /**
     * Where the time went, in nanoseconds. What was not reached is 0.
     *
     * @param began when the first byte came
     * @param head from then until its head was there, and judged
     * @param body from then until nothing more of its body was waited for; 0 where it has none
     * @param queue from then until a worker took it: behind earlier answers of its connection, and in the queue
     * @param service from then until the response was handed over whole, asynchronous waiting included
     * @param drain from then until the client's connection had taken it
     */
    public record Times(Instant began, long head, long body, long queue, long service, long drain) {

        /** From the first byte until nothing more of the request was waited for. */
        public long arrival() {
            return head + body;
        }

        /** From the first byte of the request to the last of the response. */
        public long total() {
            return head + body + queue + service + drain;
        }
    }
}
