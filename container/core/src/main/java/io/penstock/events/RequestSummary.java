package io.penstock.events;

import java.time.Instant;

/**
 * The data of one request and its response. A line of an access log needs no further data.
 *
 * @param user the name of the authenticated user; empty without authentication
 * @param status the status of the response; 0 if there was none
 * @param reason the reason of the outcome, for the operator; empty if the request was answered
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
     * The numbers of transferred bytes.
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
     * @param head the time from {@code began} until the server had accepted or refused the complete head
     * @param body the time from the end of {@code head} until the server needed no more bytes of the body; 0 without a body
     * @param queue the time from the end of {@code body} until a worker took the request: the wait for earlier responses of the connection,
     *     and the wait in the queue
     * @param service the time from the end of {@code queue} until the whole response was passed to the server, including asynchronous waits
     * @param drain the time from the end of {@code service} until the client's connection had accepted the whole response
     */
    public record Times(Instant began, long head, long body, long queue, long service, long drain) {

        /** The time from the first byte of the request until the server needed no more bytes of it. */
        public long arrival() {
            return head + body;
        }

        /** The time from the first byte of the request to the last byte of the response. */
        public long total() {
            return head + body + queue + service + drain;
        }
    }
}
