package io.penstock.exchange;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Status;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A response that needs no worker. It has a status, fields and a text.
 *
 * @param text the body; null for a body of one line with the status
 * @param request the head of the request; null if the request line is not known
 * @param observer the observer of the request
 * @param kept the reservation of the memory of {@code request}; null if the response is sent at once
 */
public record CannedResponse(
        int status,
        Fields fields,
        @Nullable String text,
        @Nullable RequestHead request,
        RequestObserver observer,
        HeadBudget.@Nullable Kept kept) {

    /** A response whose body is one line with the status. */
    public CannedResponse(int status, Fields fields, @Nullable RequestHead request) {
        this(status, fields, null, request, RequestObserver.NONE, null);
    }

    /** The response that the decision on a request asks for. */
    public CannedResponse(Admission.Canned verdict, RequestHead request) {
        this(verdict.status(), verdict.fields(), verdict.text(), request, RequestObserver.NONE, null);
    }

    /**
     * The response of an overloaded server.
     *
     * @param retryAfter seconds after which the client should try again
     */
    public static CannedResponse busy(int retryAfter, RequestHead request) {
        return new CannedResponse(503, new FieldList().add("Retry-After", Integer.toString(retryAfter)), request);
    }

    /**
     * The response of a server that stops, or that cannot answer the request in time. The client may try again after one second, because
     * another server may answer the request.
     */
    public static CannedResponse unavailable(RequestHead request) {
        return busy(1, request);
    }

    /** Reports the response to the observer {@code by}. Returns the same response with this observer. */
    public CannedResponse observedBy(RequestObserver by, String reason) {
        if (by == RequestObserver.NONE) {
            return this;
        }
        by.refused(status, reason);
        return new CannedResponse(status, fields, text, request, by, kept);
    }

    /** Returns the same response, which gives {@code reservation} back when it is over. */
    public CannedResponse holding(HeadBudget.@Nullable Kept reservation) {
        return new CannedResponse(status, fields, text, request, observer, reservation);
    }

    /** Whether the status permits content. */
    public boolean hasContent() {
        return !Status.isBodiless(status);
    }

    /** Whether {@link #body} is sent: the response has content, and the request is not a HEAD request. */
    public boolean sendsBody() {
        return hasContent() && (request == null || !request.method().equals("HEAD"));
    }

    /** The text as bytes. */
    public byte[] body() {
        String said = text == null ? status + " " + Status.reason(status) + "\n" : text;
        return said.getBytes(StandardCharsets.US_ASCII);
    }

    /** Called once, when the response has been put into the pipe or will never be. */
    public void release() {
        if (kept != null) {
            kept.leaveTo(observer);
        }
    }

    /** Called if the response will not be sent. */
    public void discard() {
        release();
        observer.over(false); // the response is lost; the observer reports the failure of the pipe as the cause
    }
}
