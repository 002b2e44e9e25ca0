package io.penstock.events;

import java.time.Instant;

/**
 * The data of one request, from its first byte to the last byte of its response. It suffices for a line of an access log.
 *
 * @param user the name of the user, if the server has authenticated the user; else empty
 * @param status the status of the response; 0 if there was none
 * @param reason why the request was refused or aborted, or why the connection ended; for the operator; empty if the request was answered
 */
public record RequestSummary(
        Request request, String user, Outcome outcome, int status, String reason, Volume volume, Times times) {

    /** The outcome of a request. */
    public enum Outcome {
        /** A worker answered, and the client's connection accepted the whole response. */
        ANSWERED,
        /** The request was answered without a worker, and the client's connection accepted the whole response. */
        REFUSED,
        /** The response was aborted before it was complete, for example because a file could not be read while it was sent. */
        ABORTED,
        /** The connection ended before it had accepted the whole response. */
        GONE
    }

    /**
     * Numbers of bytes.
     *
     * @param received bytes of the request's body, without framing
     * @param sent bytes of the response that the client's connection has accepted, including head and framing
     * @param requestOnDisk bytes of the request's body that were written to disk
     * @param responseOnDisk bytes of the response that were written to disk
     */
    public record Volume(long received, long sent, long requestOnDisk, long responseOnDisk) {}

    /**
     * The times of the request's phases, in nanoseconds; 0 for a phase that was not reached.
     *
     * @param began when the first byte arrived
     * @param head from {@code began} until the head had arrived and been admitted or refused
     * @param body from the end of {@code head} until the server needed no more of the body; 0 without a body
     * @param queue from the end of {@code body} until a worker took the request; the request waits for earlier responses of its connection,
     * and in the queue
     * @param service from the end of {@code queue} until the whole response was handed over, including asynchronous waiting
     * @param drain from the end of {@code service} until the client's connection had accepted the whole response
     */
    public record Times(Instant began, long head, long body, long queue, long service, long drain) {

        /** The time from the first byte until the server needed no more of the request. */
        public long arrival() {
            return head + body;
        }

        /** The time from the first byte of the request to the last byte of the response. */
        public long total() {
            return head + body + queue + service + drain;
        }
    }
}
