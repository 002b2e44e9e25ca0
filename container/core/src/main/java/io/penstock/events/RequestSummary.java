package io.penstock.events;

import java.time.Instant;

/**
 * One request from its first byte to the last byte of its response: the data for a line of an access log.
 *
 * @param user the name of the user, if the user has logged in by a mechanism of the server; else empty
 * @param status of the response, 0 if there was none
 * @param reason for the operator: why it was refused or aborted, or why the connection ended; empty if it was answered
 */
public record RequestSummary(
        Request request, String user, Outcome outcome, int status, String reason, Volume volume, Times times) {

    /** The outcome of a request. */
    public enum Outcome {
        /** A worker answered, and the client's connection has taken the whole response. */
        ANSWERED,
        /** Answered without a worker, and the client's connection has taken the whole response. */
        REFUSED,
        /** The response was aborted before it was complete, for example because a file could not be read while it was sent. */
        ABORTED,
        /** The connection ended before it had taken the whole response. */
        GONE
    }

    /**
     * Numbers of bytes.
     *
     * @param received bytes of the request's body, without framing
     * @param sent bytes of the response that the client's connection has taken, with head and framing
     * @param requestOnDisk bytes of the request's body that were written to disk
     * @param responseOnDisk bytes of the response that were written to disk
     */
    public record Volume(long received, long sent, long requestOnDisk, long responseOnDisk) {}

    /**
     * The times of the request's phases, in nanoseconds; 0 for a phase that was not reached.
     *
     * @param began when the first byte came
     * @param head from then until its head had arrived and been admitted or refused
     * @param body from then until the server waited for no more of its body; 0 if it has none
     * @param queue from then until a worker took it; the request waits for earlier answers of its connection, and in the queue
     * @param service from then until the whole response was handed over, including asynchronous waiting
     * @param drain from then until the client's connection had taken it
     */
    public record Times(Instant began, long head, long body, long queue, long service, long drain) {

        /** From the first byte until the server waited for no more of the request. */
        public long arrival() {
            return head + body;
        }

        /** From the first byte of the request to the last byte of the response. */
        public long total() {
            return head + body + queue + service + drain;
        }
    }
}
