package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.spool.SpoolShare;
import io.penstock.work.WorkerShare;
import org.jspecify.annotations.Nullable;

/**
 * Decides on a request by its head only.
 *
 * <p>Thread: a reactor. An implementation reads immutable tables; it does no I/O and runs no application code.
 */
@FunctionalInterface
public interface Admission {

    /** @throws Violation if no application may get this head; the client gets an error response, and its connection ends */
    Verdict admit(RequestHead head) throws Violation;

    /** When a worker gets the request: when its body is complete, or when its head has arrived. */
    enum Mode {
        BUFFERED,
        /** As {@link #BUFFERED}, for a multipart form. A large body is always stored on disk, since the parts of the form stay on disk. */
        BUFFERED_FORM,
        STREAMING
    }

    /** The decision on a request. */
    sealed interface Verdict {}

    /**
     * The request is accepted.
     *
     * @param route the result of the implementation's lookup (context, mapping); {@link Exchange#route} returns it
     * @param bodyLimit the largest acceptable body in bytes; a larger body is answered 413
     * @param history the history of the same servlet's responses
     * @param bulkhead the bulkhead of the path; null if there is none
     */
    record Admitted(
            Object route,
            Mode mode,
            long bodyLimit,
            SpoolHistory history,
            @Nullable Bulkhead bulkhead) implements Verdict {

        /** The bulkhead's share of the workers; null if there is none. */
        @Nullable
        WorkerShare workerShare() {
            return bulkhead == null ? null : bulkhead.workers();
        }

        /** The bulkhead's share of the writes to disk; null if there is none. */
        public @Nullable SpoolShare spoolShare() {
            return bulkhead == null ? null : bulkhead.writes();
        }
    }

    /** The request is answered at once by a canned response, without a worker. */
    record Refused(int status, Fields fields) implements Verdict {}

    /**
     * The request is refused because of a limit. The refusal is counted for the limit.
     *
     * @param limit the limit; it defines the status of the response
     * @param fields of the response
     */
    record Limited(Key limit, Fields fields) implements Verdict {}

    /**
     * The server itself answers, without a worker. This does not count as a refusal.
     *
     * @param fields with a content type, if the text is not plain text
     * @param text the body
     * @param reason for the operator
     */
    record Answered(int status, Fields fields, String text, String reason) implements Verdict {}
}
