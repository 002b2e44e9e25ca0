package io.penstock.request;

import io.penstock.exchange.Exchange;
import io.penstock.http.AcceptEncoding;
import io.penstock.http.ContentCoding;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.MediaType;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http.Vary;
import io.penstock.limits.Compression;
import java.util.List;
import java.util.Locale;

/**
 * Decides whether a response may be compressed, and makes the fields that announce the compression (RFC 9110 sections 8.4, 8.8.3 and 12.5).
 * Immutable.
 */
final class CompressibleResponse {
    private static final String ACCEPT_ENCODING = "Accept-Encoding";

    /** Fields with a digest of the sent bytes. Compression would make the digest wrong. */
    private static final List<String> DIGESTS = List.of("Content-Digest", "Repr-Digest", "Digest", "Content-MD5");

    private static final int NO_CONTENT = 204;
    private static final int RESET_CONTENT = 205;
    private static final int PARTIAL_CONTENT = 206;
    private static final int NOT_MODIFIED = 304;

    private final Exchange exchange;
    private final RequestHead request;
    private final Compression rules;

    CompressibleResponse(Exchange exchange, Compression rules) {
        this.exchange = exchange;
        this.request = exchange.head();
        this.rules = rules;
    }

    /** How a response may be sent. */
    enum Choice {
        /** The response is sent unchanged to every client. */
        UNCHANGED,
        /** The response is sent unchanged to this client, but may be compressed for other clients. */
        VARIES,
        COMPRESSED
    }

    Choice choose(ResponseHead head) {
        int status = head.status();
        boolean hasContent = status >= 200 && status != NO_CONTENT && status != RESET_CONTENT;
        if (!hasContent || !isCompressible(head.fields(), status) || exchange.isTransformForbidden(head)) {
            return Choice.UNCHANGED;
        }
        if (status == PARTIAL_CONTENT || status == NOT_MODIFIED || head.fields().contains("Content-Range")) {
            // The response with status 200 for the same resource may be compressed. The length of that response is
            // unknown here.
            return Choice.VARIES;
        }
        if (head.contentLength() >= 0 && head.contentLength() < rules.minSize()) {
            return Choice.UNCHANGED;
        }
        return clientAccepts() ? Choice.COMPRESSED : Choice.VARIES;
    }

    private boolean isCompressible(Fields fields, int status) {
        if (fields.contains("Content-Encoding") || isTransformForbidden(fields)) {
            return false;
        }
        MediaType type = MediaType.parse(fields.first("Content-Type"));
        if (type == null) {
            // A response with status 304 need not have a type, since the client has stored the type. The type is
            // unknown here, so the stored response may be compressible.
            return status == NOT_MODIFIED;
        }
        // The type multipart/byteranges does not show the type of the resource, which may be compressible.
        return (rules.compresses(type.essence()) || status == PARTIAL_CONTENT && type.is("multipart/byteranges"))
                && DIGESTS.stream().noneMatch(fields::contains);
    }

    private static boolean isTransformForbidden(Fields fields) {
        for (int i = 0, n = fields.size(); i < n; i++) {
            if (fields.isNamed(i, "Cache-Control")
                    && fields.value(i).toLowerCase(Locale.ROOT).contains("no-transform")) {
                return true;
            }
        }
        return false;
    }

    private boolean clientAccepts() {
        String agent = request.fields().first("User-Agent");
        return AcceptEncoding.parse(request.fields().all(ACCEPT_ENCODING)).best(List.of(ContentCoding.GZIP)) != null
                && (agent == null || !rules.excludes(agent));
    }

    /** Returns the head of a response that is sent unchanged, but may be compressed for other clients. */
    ResponseHead varying(ResponseHead head) {
        FieldList fields = copy(head.fields());
        addVary(fields);
        String tag = fields.first("ETag");
        if (head.status() == NOT_MODIFIED && tag != null && isStoredWeak(tag)) {
            fields.set("ETag", weak(tag));
        }
        return new ResponseHead(head.status(), fields, head.contentLength());
    }

    /** Whether the client has stored the compressed response. In this case {@code If-None-Match} has the weak form of the entity tag. */
    private boolean isStoredWeak(String tag) {
        return request.fields().all("If-None-Match").stream().anyMatch(line -> line.contains(weak(tag)));
    }

    /**
     * Returns the head of the compressed response. Its entity tag becomes weak, since a strong tag would promise the same bytes as in the
     * unchanged response (RFC 9110 section 8.8.1). Accept-Ranges is removed, since ranges are never compressed.
     *
     * @param length the length of the compressed body; -1 if unknown
     */
    ResponseHead compressed(ResponseHead head, long length) {
        FieldList fields = copy(head.fields());
        fields.set("Content-Encoding", ContentCoding.GZIP.token());
        fields.remove("Accept-Ranges");
        addVary(fields);
        String tag = fields.first("ETag");
        if (tag != null) {
            fields.set("ETag", weak(tag));
        }
        return new ResponseHead(head.status(), fields, length);
    }

    private static String weak(String tag) {
        return tag.startsWith("W/") ? tag : "W/" + tag;
    }

    private static void addVary(FieldList fields) {
        if (!Vary.covers(fields.all("Vary"), ACCEPT_ENCODING)) {
            fields.add("Vary", ACCEPT_ENCODING);
        }
    }

    private static FieldList copy(Fields fields) {
        FieldList copy = new FieldList();
        for (int i = 0, n = fields.size(); i < n; i++) {
            copy.add(fields.name(i), fields.value(i));
        }
        return copy;
    }
}
