package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.spool.SpoolShare;
import io.penstock.work.WorkerShare;
import org.jspecify.annotations.Nullable;

/**
 * Decides on a request by its head alone.
 *
 * <p>Thread: a reactor. An implementation reads immutable tables; it does no I/O and runs no application code.
 */
@FunctionalInterface
public interface Admission {

    /** @throws Violation if no application may see the head: the client gets an error response, and its connection ends */
    Verdict admit(RequestHead head) throws Violation;

    /** Whether a worker gets the request when its body is complete, or when its head has arrived. */
    enum Mode {
        BUFFERED,
        /**
         * When the body is complete, like {@link #BUFFERED}. A large body is always stored on disk, since its multipart parts stay there.
         */
        BUFFERED_FORM,
        STREAMING
    }

    /** The decision on a request. */
    sealed interface Verdict {}

    /**
     * The request may go on.
     *
     * @param route what the implementation has found (context, mapping); it gets this back with the exchange
     * @param bodyLimit largest acceptable body in bytes; beyond it 413
     * @param history of the responses of the same servlet
     * @param bulkhead of its path; null if it has none
     */
    record Admitted(
            Object route,
            Mode mode,
            long bodyLimit,
            SpoolHistory history,
            @Nullable Bulkhead bulkhead) implements Verdict {

        /** The share of the workers that its bulkhead has; null if it has none. */
        @Nullable
        WorkerShare workerShare() {
            return bulkhead == null ? null : bulkhead.workers();
        }

        /** The share of the writes to disk that its bulkhead has; null if it has none. */
        public @Nullable SpoolShare spoolShare() {
            return bulkhead == null ? null : bulkhead.writes();
        }
    }

    /** The request is answered at once by a canned response, without a worker. */
    record Refused(int status, Fields fields) implements Verdict {}

    /**
     * The request is refused because of a limit, which is counted.
     *
     * @param limit which has the status of the response
     * @param fields of the response
     */
    record Limited(Key limit, Fields fields) implements Verdict {}

    /**
     * The server itself answers, without a worker. It does not count as a refusal.
     *
     * @param fields with a content type, if the text is not plain text
     * @param text the body
     * @param reason for the operator
     */
    record Answered(int status, Fields fields, String text, String reason) implements Verdict {}
}
