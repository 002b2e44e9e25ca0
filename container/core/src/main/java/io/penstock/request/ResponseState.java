package io.penstock.request;

import io.penstock.exchange.Exchange;
import io.penstock.exchange.Response;
import io.penstock.exchange.ResponseSink;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.http.Status;
import io.penstock.http.Version;
import io.penstock.limits.ServerConfig.Redirects;
import io.penstock.session.SessionNotSavedException;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of an exchange's response: status, fields, charset, and body. All response objects of the exchange share this state: each
 * dispatch has its own {@link HttpResponse}.
 *
 * <p>Thread: one application thread at a time; the body's buffer has its own lock. The container never waits for a thread of the
 * application, since such a thread may be waiting for the client.
 */
public final class ResponseState {
    private final Exchange exchange;
    private final Response wire;
    private final ResponseBuffer buffer;
    private final BodyOutputStream stream;
    private final ResponseFields fields = new ResponseFields();
    private final ContentCharset content;
    private final int initialBufferSize;
    private final Redirects redirects;
    private int status = 200;
    private @Nullable Supplier<Map<String, String>> trailers;
    private @Nullable SentError error;
    private @Nullable EncodingWriter encoder;
    private @Nullable PrintWriter writer;
    private BodyKind bodyKind = BodyKind.UNDECIDED;
    private Runnable whenLeaving = () -> {};

    /** How the application writes the body. */
    private enum BodyKind {
        UNDECIDED,
        BYTES,
        TEXT
    }

    /**
     * @param sink receives the response for the client
     * @param bufferSize the number of body bytes that can always be held back before the response is committed
     * @param contextCharset the context's {@code response-character-encoding}
     * @param charsetByLocale the context's {@code locale-encoding-mapping}
     * @param redirects whether redirects on this server are relative or absolute
     */
    public ResponseState(
            Exchange exchange,
            ResponseSink sink,
            AsyncSupport async,
            int bufferSize,
            @Nullable String contextCharset,
            Function<Locale, @Nullable String> charsetByLocale,
            Redirects redirects) {
        this.exchange = exchange;
        initialBufferSize = bufferSize;
        this.redirects = redirects;
        wire = exchange.response();
        buffer = new ResponseBuffer(wire, sink, this, bufferSize);
        stream = new BodyOutputStream(buffer, sink, async);
        content = new ContentCharset(contextCharset, charsetByLocale);
    }

    // ---- the container

    /**
     * Sets an action that runs each time before the head or the end is sent. The action saves the sessions: a client that has received the
     * head or the end may send its next request at once, and that request must find the changes.
     */
    void whenLeaving(Runnable action) {
        whenLeaving = action;
    }

    /** Tells listeners the id of the session that the request uses. */
    void session(String id) {
        exchange.session(id);
    }

    /** Runs an action of the container as a job of the exchange. */
    void resume(Runnable action) {
        stream.resume(action);
    }

    /**
     * Called before the head or the end is sent.
     *
     * @throws SessionNotSavedException if the head or the end must not be sent. If the head has not been sent yet, another response is
     *     possible
     */
    void beforeSending() {
        whenLeaving.run();
    }

    /**
     * Sends the held bytes and the end of the response. Returns false if another thread is writing. In this case {@code then} runs as a job
     * of the exchange after that write. Has no effect if the end has been sent already. Thread: a worker.
     */
    public boolean complete(Runnable then) throws IOException {
        if (wire.isAborted()) {
            buffer.dropAll();
            return true;
        }
        if (!buffer.take(then)) {
            return false;
        }
        try {
            finishText();
        } finally {
            buffer.complete();
        }
        return true;
    }

    private void finishText() throws IOException {
        if (encoder != null && wire.isAccepting()) {
            encoder.finish();
        }
    }

    /**
     * Returns true if no thread is writing and no bytes of non-blocking writes are pending. Otherwise returns false, and {@code then} runs
     * as a job of the exchange when the writes have ended. If the body is in non-blocking mode, this call closes the body.
     */
    public boolean isWritten(Runnable then) throws IOException {
        if (wire.isAborted()) {
            buffer.dropAll();
            return true;
        }
        if (!buffer.isIdle(then)) {
            return false;
        }
        if (!stream.isNonBlocking()) {
            return true;
        }
        stream.close();
        return stream.isWritten(then);
    }

    /** Aborts the response, so that the client notices that the response is incomplete. */
    public void abort(Throwable cause) {
        buffer.abort(cause);
    }

    /** Takes the write lock, so that only the container can write. Does not wait: returns false if another thread is writing. */
    public boolean takeOver() {
        return buffer.take();
    }

    /** Releases the write lock after {@link #takeOver}. The application can write again. */
    public void giveBack() {
        buffer.giveBack();
    }

    /**
     * Called when another dispatch begins. If {@link #isWritten} has returned false, writes of the application have been refused since
     * then. From now on all threads may write again.
     */
    public void admitWriters() {
        buffer.admitWriters();
    }

    /** From now on {@link #complete(Runnable)} sends the end of the body. A close by the application does not send the end. */
    public void deferEnd() {
        buffer.deferEnd();
    }

    /** Removes and returns the error that {@code sendError} has set and that has no error page yet; null if there is none. */
    public @Nullable SentError takeError() {
        SentError taken = error;
        error = null;
        return taken;
    }

    public boolean hasError() {
        return error != null;
    }

    /**
     * Makes the response writable again for an error page. The body and the fields that describe the body are dropped, unless the new status
     * needs them; cookies and other fields are kept.
     */
    public void startOver(int newStatus) {
        buffer.reset();
        forgetBodyKind();
        fields.removeThoseOfTheBody(newStatus);
        content.clear();
        status = newStatus;
    }

    /** Whether the response could not be sent because of the client or the connection. */
    public boolean hasFailed() {
        return buffer.hasFailed();
    }

    /** Sets the field {@code Retry-After}, which asks the client to wait before it sends the request again. */
    public void retryAfter(int seconds) {
        fields.set("Retry-After", Integer.toString(seconds));
    }

    /** Whether the response has ended, so that no part of it remains to be sent. */
    public boolean isEnded() {
        return wire.phase().isDecided();
    }

    /** Whether the application has written the whole body, so that only its end remains to be sent. */
    public boolean isComplete() {
        return wire.phase().isFull();
    }

    /** Whether the application can no longer write, and can no longer begin asynchronous processing. */
    public boolean isClosed() {
        return buffer.isClosed();
    }

    /** Whether the head has been handed over to the sink. After that, the head cannot change. */
    public boolean isOnTheWire() {
        return wire.hasHead();
    }

    /** Whether the application has written no bytes, and has not called {@code getOutputStream} or {@code getWriter}. */
    boolean isUntouched() {
        return bodyKind == BodyKind.UNDECIDED && !wire.hasHead() && wire.isAccepting();
    }

    // ---- head

    /**
     * Returns the final head. From then on the response is committed. {@code length} is the length of the body, or -1 if the head gets no
     * length.
     */
    ResponseHead commit(long length) {
        return new ResponseHead(finalStatus(), fields.compose(content.contentType()), length);
    }

    /**
     * Returns the status to send. A 1xx status is an error of the application, since the client would wait for a final response for ever;
     * 500 is sent instead. The exception is 101, which is sent if the client has asked for another protocol.
     */
    private int finalStatus() {
        boolean isFinal = status >= 200 || (status == Status.SWITCHING_PROTOCOLS && exchange.isUpgradable());
        return isFinal ? status : 500;
    }

    boolean hasTrailers() {
        return trailers != null;
    }

    Fields trailers() {
        if (trailers == null) {
            return Fields.EMPTY;
        }
        Map<String, String> map = trailers.get();
        return map == null ? Fields.EMPTY : ResponseFields.trailers(map);
    }

    /**
     * Whether the protocol sends no body with the response, for example in a response to HEAD. In this case the declared length can differ
     * from the number of bytes written.
     */
    boolean isBodiless() {
        return exchange.head().method().equals("HEAD") || (status >= 200 && Status.isBodiless(status));
    }

    public boolean isCommitted() {
        return wire.isCommitted();
    }

    public int status() {
        return status;
    }

    void status(int code) {
        status = code;
    }

    Redirects redirects() {
        return redirects;
    }

    ResponseFields fields() {
        return fields;
    }

    ContentCharset content() {
        return content;
    }

    /** The length that the application has declared, or -1. */
    long declaredLength() {
        return buffer.declared();
    }

    /**
     * Declares the length of the body; -1 withdraws the declaration. Has no effect if more than {@code length} bytes have been written
     * already.
     */
    void declareLength(long length) throws IOException {
        buffer.declare(length);
    }

    @Nullable
    Supplier<Map<String, String>> trailerSupplier() {
        return trailers;
    }

    /** @throws IllegalStateException if the response is committed, or if the protocol has no trailers */
    void trailers(@Nullable Supplier<Map<String, String>> supplier) {
        if (wire.isCommitted()) {
            throw new IllegalStateException("The response is committed");
        }
        Version version = exchange.head().version();
        if (!version.hasTrailers()) {
            throw new IllegalStateException(version.text() + " has no trailer fields");
        }
        trailers = supplier;
    }

    // ---- body

    ServletOutputStream outputStream() {
        if (bodyKind == BodyKind.TEXT) {
            throw new IllegalStateException("getWriter() has been called on this response");
        }
        bodyKind = BodyKind.BYTES;
        return stream;
    }

    PrintWriter writer() throws IOException {
        if (bodyKind == BodyKind.BYTES) {
            throw new IllegalStateException("getOutputStream() has been called on this response");
        }
        if (writer == null) {
            encoder = new EncodingWriter(stream, content.forWriter());
            writer = new PrintWriter(encoder);
        }
        bodyKind = BodyKind.TEXT;
        return writer;
    }

    void flush() throws IOException {
        buffer.flush();
    }

    void earlyHints() {
        buffer.earlyHints(fields.hints(content.contentType()));
    }

    int bufferSize() {
        return buffer.capacity();
    }

    void resize(int size) {
        buffer.resize(Math.max(size, initialBufferSize));
    }

    void resetBuffer() {
        checkUncommitted();
        buffer.resetBytes();
    }

    void reset() {
        checkUncommitted();
        buffer.reset();
        status = 200;
        fields.clear();
        content.clear();
        trailers = null;
        forgetBodyKind();
    }

    void sendFile(FileChannel file, long position, long count) throws IOException {
        long declared = declaredLength();
        if (declared >= 0 && declared != count) {
            file.close();
            throw new IllegalStateException("Declared " + declared + " bytes, but the file has " + count);
        }
        bodyKind = BodyKind.BYTES;
        buffer.write(file, position, count);
    }

    void sendError(int code, @Nullable String message) {
        checkUncommitted();
        buffer.suspend();
        status = code;
        error = new SentError(code, message);
    }

    /** Completes the body with the bytes that have been written; further bytes are ignored. The body is sent when the exchange ends. */
    public void end() throws IOException {
        finishText();
        buffer.end();
    }

    void checkUncommitted() {
        if (wire.isCommitted()) {
            throw new IllegalStateException("The response is committed");
        }
    }

    private void forgetBodyKind() {
        bodyKind = BodyKind.UNDECIDED;
        writer = null;
        encoder = null;
    }
}
