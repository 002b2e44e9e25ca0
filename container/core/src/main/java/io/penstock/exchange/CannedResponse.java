package io.penstock.exchange;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Status;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.rules.ErrorDocuments;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A response that needs no worker. It has a status, fields and a text.
 *
 * @param text the body; null for a body of one line with the status
 * @param page the operator's page, in place of the text; null if there is none
 * @param request the head of the request; null if the request line is not known
 * @param observer the observer of the request
 * @param kept the reservation of the memory of {@code request}; null if the response is sent at once
 */
public record CannedResponse(
        int status,
        Fields fields,
        @Nullable String text,
        ErrorDocuments.@Nullable Document page,
        @Nullable RequestHead request,
        RequestObserver observer,
        HeadBudget.@Nullable Kept kept) {

    /** A response whose body is one line with the status. */
    public CannedResponse(int status, Fields fields, @Nullable RequestHead request) {
        this(status, fields, null, null, request, RequestObserver.NONE, null);
    }

    /** The response that the decision on a request asks for. */
    public CannedResponse(Admission.Canned verdict, RequestHead request) {
        this(verdict.status(), verdict.fields(), verdict.text(), null, request, RequestObserver.NONE, null);
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
        return new CannedResponse(status, fields, text, page, request, by, kept);
    }

    /** Returns the same response with the operator's page for its status, if there is such a page and the client wants it. */
    public CannedResponse withPage(@Nullable ErrorDocuments pages) {
        if (pages == null || text != null || request == null || fields.contains("Content-Type")) {
            return this;
        }
        ErrorDocuments.Document found = pages.find(status, request);
        if (found == null) {
            return this;
        }
        // A cache must not give the page to another kind of client.
        FieldList varied = FieldList.copyOf(fields).add("Vary", "Accept");
        return new CannedResponse(status, varied, null, found, request, observer, kept);
    }

    /** Returns the same response, which gives {@code reservation} back when it is over. */
    public CannedResponse holding(HeadBudget.@Nullable Kept reservation) {
        return new CannedResponse(status, fields, text, page, request, observer, reservation);
    }

    /** Whether the status permits content. */
    public boolean hasContent() {
        return !Status.isBodiless(status);
    }

    /** Whether the body is sent: the response has content, and the request is not a HEAD request. */
    public boolean sendsBody() {
        return hasContent() && (request == null || !request.method().equals("HEAD"));
    }

    /** The value of {@code Content-Type}, if the fields have none. */
    public String contentType() {
        return page == null ? "text/plain;charset=utf-8" : ErrorDocuments.TYPE;
    }

    /** The length of the body in bytes. */
    public int length() {
        return page == null ? line().length : page.bytes().length;
    }

    /** The body, in a segment that the caller owns. The page is shared by all responses, so it takes no memory of this one. */
    public Segment body() {
        return page == null ? SegmentPool.segment(line()) : SegmentPool.shared(page.bytes());
    }

    /** The text as bytes. */
    public byte[] line() {
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
