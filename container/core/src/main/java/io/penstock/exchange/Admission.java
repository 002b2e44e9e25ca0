package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.spool.SpoolShare;
import io.penstock.work.Lane;
import io.penstock.work.Mapping;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether and how a request is served. The decision uses only the head of the request.
 *
 * <p>Thread: a reactor. Therefore an implementation must not do I/O, and must not run application code.
 */
@FunctionalInterface
public interface Admission {

    /**
     * @throws Violation if no application may get this head. The client gets an error response, and the request is not read further. In
     *     HTTP/1.1 the connection is closed, too
     */
    Verdict admit(RequestHead head) throws Violation;

    /**
     * Whether every client gets the answer to this head, even one whose address is denied or has sent too many requests ({@link
     * AddressGate}).
     */
    default boolean isForAllAddresses(RequestHead head) {
        return false;
    }

    /**
     * Decides by a client's address whether the client's request for this path is accepted. Called before {@link #admit}, if there is an
     * {@link AddressGate} and it has accepted the request.
     *
     * @param client the client's address; null if the client has no address, or if the proxy does not send it
     * @return the refusal; null if the request is accepted
     * @throws Violation as {@link #admit}
     */
    default @Nullable Limited stop(RequestHead head, @Nullable InetAddress client) throws Violation {
        return null;
    }

    /**
     * The time at which a worker gets the request: when the body is complete ({@link #BUFFERED}), or when the head has arrived ({@link
     * #STREAMING}).
     */
    enum Mode {
        BUFFERED,
        /**
         * As {@link #BUFFERED}, but for a multipart form. A large body of a form is always stored on disk, since the parts of the form are
         * kept on disk.
         */
        BUFFERED_FORM,
        STREAMING
    }

    /** The decision on a request. */
    sealed interface Verdict {}

    /**
     * The request is accepted.
     *
     * @param route the result of the implementation's lookup, for example the context and the servlet mapping. {@link Exchange#route}
     *     returns this object
     * @param mode the time at which a worker gets the request
     * @param bodyLimit the largest acceptable body in bytes. A request with a larger body gets a response with the status 413
     * @param history the history of earlier responses of the same servlet
     * @param bulkhead the bulkhead of the path; null if the path has no bulkhead
     * @param held how many bytes of memory the texts take that the implementation has made of the head
     * @param mapping the requests with which this one shares workers; null if it counts for none
     */
    record Admitted(
            Object route,
            Mode mode,
            long bodyLimit,
            SpoolHistory history,
            @Nullable Bulkhead bulkhead,
            int held,
            @Nullable Mapping mapping)
            implements Verdict {

        /** A verdict without a mapping. */
        public Admitted(
                Object route, Mode mode, long bodyLimit, SpoolHistory history, @Nullable Bulkhead bulkhead, int held) {
            this(route, mode, bodyLimit, history, bulkhead, held, null);
        }

        /** The bulkhead's share of the workers; null if no bulkhead limits the workers. */
        @Nullable
        Lane lane() {
            return bulkhead == null ? null : bulkhead.workers();
        }

        /** The bulkhead's share of the writes to disk; null if no bulkhead limits the writes. */
        public @Nullable SpoolShare spoolShare() {
            return bulkhead == null ? null : bulkhead.writes();
        }
    }

    /** No application gets the request. The server itself answers, without a worker ({@link CannedResponse}). */
    sealed interface Canned extends Verdict {

        /** The status of the response. */
        int status();

        /** The fields of the response. */
        Fields fields();

        /** The body of the response; null for a body of one line with the status. */
        @Nullable
        String text();

        /** The reason for the response, for the operator. */
        String reason();

        /** Whether the response counts as a refusal. */
        default boolean isRefusal() {
            return true;
        }
    }

    /** The request is refused. */
    record Refused(int status, Fields fields, @Nullable String text, String reason) implements Canned {

        /** A refusal by an {@link Admission}. Its body is one line with the status. */
        public Refused(int status, Fields fields) {
            this(status, fields, null, "admission");
        }
    }

    /**
     * The request is refused because of a limit. The server counts the refusals of each limit.
     *
     * @param limit the key of the limit, which defines the status of the response
     * @param fields the fields of the response
     */
    record Limited(Key limit, Fields fields) implements Canned {

        @Override
        public int status() {
            return limit.consequence().status();
        }

        @Override
        public @Nullable String text() {
            return null;
        }

        @Override
        public String reason() {
            return limit.id();
        }
    }

    /**
     * The server itself answers, as if it were the application. The response does not count as a refusal.
     *
     * @param status the status of the response
     * @param fields the fields of the response. They must contain a content type if {@code text} is not plain text
     * @param text the body of the response
     * @param reason the reason for the response, for the operator
     */
    record Answered(int status, Fields fields, String text, String reason) implements Canned {

        @Override
        public boolean isRefusal() {
            return false;
        }
    }
}
