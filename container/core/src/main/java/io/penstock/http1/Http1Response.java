package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.Response;
import io.penstock.exchange.ResponseWriter;
import io.penstock.exchange.ServerTiming;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http.Status;
import io.penstock.http.Version;
import io.penstock.pipe.Segment;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One response in HTTP/1.1. When the head is sent, the response chooses the {@link Framing} of its body, and decides whether the connection
 * can stay open, because the head announces a close. At its end, the response checks again whether the connection can stay open (RFC 9112
 * sections 6, 7 and 9.3). If there are several causes for a close, the first cause in this order is reported:
 *
 * <ol>
 *   <li>the request asks for the close;
 *   <li>the response asks for the close;
 *   <li>only the close marks the end of the response;
 *   <li>the request's body has not arrived completely, so the beginning of the next request is unknown;
 *   <li>the server is about to stop.
 * </ol>
 *
 * If the body of the response is shorter than its head has promised, the cause is {@link CloseCause#RESPONSE_INCOMPLETE}. The responses to
 * invalid requests always end the connection.
 *
 * <p>Thread: see {@link Response}.
 */
final class Http1Response extends Response {

    /** How the end of a response's body is marked for the client (RFC 9112 section 6.3). */
    enum Framing {
        /** The head has not been sent yet. */
        UNDECIDED,

        /** There is no body, regardless of the fields: HEAD, 204, 205, 304. */
        NONE,
        LENGTH,
        CHUNKED,

        /** The end of the connection marks the end of the body. */
        CLOSE;

        /** @param length the length of the body; -1 if it is not known */
        static Framing of(RequestHead request, int status, long length) {
            if (isHead(request) || Status.isBodiless(status)) {
                return NONE;
            }
            if (length >= 0) {
                return LENGTH;
            }
            return request.version() == Version.HTTP_1_0 ? CLOSE : CHUNKED;
        }

        static boolean isHead(RequestHead request) {
            return request.method().equals("HEAD");
        }
    }

    private final HeadWriter heads;

    // The writing thread sets these fields under the monitor, when the head is sent. Other threads read {@code framing}
    // after the response is aborted, and {@code switches} after the response is complete.
    private Framing framing = Framing.UNDECIDED;
    private @Nullable CloseCause endsWith; // why the connection must end; decided with the head
    private boolean switches; // whether the sent head is a 101

    // Bytes of the body that the head has promised and the application has not written yet. The writing thread sets
    // this field with the head, and changes it at each write without the monitor.
    private long remaining;

    Http1Response(ResponseWriter out, HeadWriter heads, Owner owner, RequestObserver observer) {
        super(out, owner, observer);
        this.heads = heads;
    }

    /** Whether only a reset can show the client that this response is incomplete, since its body ends with the connection. */
    boolean needsReset() {
        return isAborted() && framing == Framing.CLOSE;
    }

    /** Whether the whole response has been handed over and switches the connection to another protocol. Any thread. */
    boolean hasSwitched() {
        return isWhole() && switches && !pipe.hasFailed();
    }

    // ---- heads

    @Override
    public void informational(int status, Fields fields) throws IOException {
        if (owner.head().version() != Version.HTTP_1_0) {
            super.informational(status, fields);
        }
    }

    @Override
    protected void putInformational(int status, Fields fields) throws IOException {
        heads.informational(pipe, status, fields);
    }

    @Override
    protected boolean putHead(
            ResponseHead head, long length, @Nullable ServerTiming timing, Segment body, boolean last) {
        ByteBuffer bytes = body.buffer();
        if (!HeadWriter.hasRoomBehind(bytes)) {
            return false;
        }
        RequestHead request = owner.head();
        decide(request, head, length);
        if (framing == Framing.NONE) {
            bytes.limit(bytes.position());
        }
        int count = bytes.remaining();
        boolean framed =
                switch (framing) {
                    case NONE, CLOSE -> true;
                    case LENGTH -> count <= remaining;
                    // A chunk without bytes would be the end of the body.
                    case CHUNKED -> count > 0;
                    case UNDECIDED -> false;
                };
        if (!framed || !heads.putBefore(body, request, head, timing, framing, length, endsWith == null)) {
            return false;
        }
        remaining -= count;
        return true;
    }

    @Override
    protected long putHead(ResponseHead head, long length, @Nullable ServerTiming timing) throws IOException {
        RequestHead request = owner.head();
        decide(request, head, length);
        return heads.send(pipe, request, head, timing, framing, length, endsWith == null);
    }

    /** Decides how the body is framed, and whether the connection stays open. */
    private void decide(RequestHead request, ResponseHead head, long length) {
        int status = head.status();
        framing = Framing.of(request, status, length);
        remaining = length;
        switches = status == Status.SWITCHING_PROTOCOLS;
        endsWith = switches
                ? CloseCause.UPGRADE_ENDED
                : endsWith(request, head, framing != Framing.CLOSE, owner.isBodyComplete(), owner.isStopping());
    }

    // ---- the body

    @Override
    protected boolean frame(Segment body, boolean last) {
        int count = body.buffer().remaining();
        boolean framed =
                switch (framing) {
                    case LENGTH -> count <= remaining;
                    case CLOSE -> true;
                    case CHUNKED -> Chunks.frame(body, last);
                    case NONE, UNDECIDED -> false;
                };
        if (framed) {
            remaining -= count;
        }
        return framed;
    }

    @Override
    protected boolean beginBytes(long count) throws IOException {
        if (framing == Framing.LENGTH) {
            if (count > remaining) {
                throw new IOException("The response body is longer than its Content-Length");
            }
            remaining -= count;
        }
        boolean sent = framing != Framing.NONE && count > 0;
        if (sent && framing == Framing.CHUNKED) {
            frame(Chunks.open(count));
        }
        return sent;
    }

    @Override
    protected void endBytes(boolean last) throws IOException {
        if (framing == Framing.CHUNKED) {
            frame(Chunks.close(last));
        }
    }

    @Override
    protected void endBody(Fields trailers) throws IOException {
        if (framing == Framing.CHUNKED) {
            frame(Chunks.end(trailers));
        }
    }

    @Override
    protected @Nullable ConnectionClosed closingAtEnd() {
        boolean whole = framing != Framing.LENGTH || remaining == 0;
        CloseCause cause = endsAfter(endsWith, whole, owner.isBodyComplete());
        return cause == null ? null : new ConnectionClosed(cause);
    }

    // ---- whether the connection can be used again

    /**
     * The cause for which the connection must end with a response of an application; null if the connection can be used again.
     *
     * @param selfDelimited whether the client can find the end of the response while the connection stays open
     * @param bodyComplete whether the whole request body has arrived
     * @param stopping whether the server stops. If so, each response closes its connection
     */
    static @Nullable CloseCause endsWith(
            RequestHead request, ResponseHead response, boolean selfDelimited, boolean bodyComplete, boolean stopping) {
        if (!request.persists()) {
            return CloseCause.REQUEST_CLOSE;
        }
        if (response.fields().hasConnectionOption("close")) {
            return CloseCause.RESPONSE_CLOSE;
        }
        if (!selfDelimited) {
            return CloseCause.CLOSE_DELIMITED;
        }
        return endsAnyway(bodyComplete, stopping);
    }

    /** Decides as {@link #endsWith} does, but for a {@link Http1CannedResponse}. A canned response never keeps an HTTP/1.0 connection open. */
    static @Nullable CloseCause endsWithCanned(RequestHead request, boolean bodyComplete, boolean stopping) {
        if (request.version() == Version.HTTP_1_0 || !request.persists()) {
            return CloseCause.REQUEST_CLOSE;
        }
        return endsAnyway(bodyComplete, stopping);
    }

    private static @Nullable CloseCause endsAnyway(boolean bodyComplete, boolean stopping) {
        if (!bodyComplete) {
            return CloseCause.BODY_UNREAD;
        }
        return stopping ? CloseCause.SERVER_STOPPING : null;
    }

    /**
     * The cause for which the connection must end after the last byte of a response; null if the connection can be used again.
     *
     * @param decided the result of {@link #endsWith} when the head was sent
     * @param whole whether the body is as long as the head has promised. If not, only the end of the connection can show this to the client
     */
    static @Nullable CloseCause endsAfter(@Nullable CloseCause decided, boolean whole, boolean bodyComplete) {
        if (!whole) {
            return CloseCause.RESPONSE_INCOMPLETE;
        }
        return decided == null && !bodyComplete ? CloseCause.BODY_UNREAD : decided;
    }
}
