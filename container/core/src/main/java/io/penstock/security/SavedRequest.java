package io.penstock.security;

import io.penstock.address.PathText;
import io.penstock.exchange.RequestBody;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.request.HttpRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;

/**
 * A request that is saved until its user has logged in (Servlet 6.1, section 13.6.3). It contains the parts of the request that the application
 * gets after the login. Immutable.
 *
 * @param location the path and the query; the redirect after the login leads to this location
 * @param fields the header fields of the request. Fields about the connection, cookies, credentials and cached responses are omitted
 * @param body the request body, read-only
 */
record SavedRequest(String method, String location, Fields fields, ByteBuffer body) {
    private static final Set<String> LEFT_OUT = Set.of(
            "authorization",
            "connection",
            "content-length",
            "cookie",
            "expect",
            "host",
            "if-match",
            "if-modified-since",
            "if-none-match",
            "if-range",
            "if-unmodified-since",
            "keep-alive",
            "proxy-authorization",
            "proxy-connection",
            "range",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");
    private static final int OVERHEAD = 200;
    private static final int CHUNK = 8192;

    /**
     * Saves the whole request. Reads its body.
     *
     * @throws Violation if the body is too large to be saved
     */
    static SavedRequest whole(HttpRequest request, int mostBytes) throws IOException, Violation {
        RequestHead head = request.state().exchange().head();
        ByteBuffer body = read(request.state().exchange().body(), mostBytes);
        FieldList fields = new FieldList();
        for (int i = 0; i < head.fields().size(); i++) {
            String name = head.fields().name(i);
            if (!LEFT_OUT.contains(name.toLowerCase(Locale.ROOT))) {
                fields.add(name, head.fields().value(i));
            }
        }
        return new SavedRequest(head.method(), location(request), fields, body);
    }

    /** Saves only the location, which the client will request by GET. */
    static SavedRequest locationOnly(HttpRequest request) {
        return new SavedRequest("GET", location(request), Fields.EMPTY, ByteBuffer.allocate(0));
    }

    /**
     * The location of a request, made from the decoded path. The raw request target is not used, because it can have path parameters. It
     * can also begin with two slashes. A redirect to such a target would lead to another host.
     */
    static String location(HttpRequest request) {
        String path = request.view().context().getContextPath()
                + PathText.encode(request.view().path());
        String query = request.state().exchange().head().target().query();
        return path + (query == null ? "" : '?' + query);
    }

    private static ByteBuffer read(RequestBody body, int mostBytes) throws IOException, Violation {
        if (body.length() > mostBytes) {
            throw new Violation(Key.SAVED_REQUEST_LIMIT);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK];
        for (int n = body.read(chunk, 0, CHUNK); n >= 0; n = body.read(chunk, 0, CHUNK)) {
            all.write(chunk, 0, n);
            if (all.size() > mostBytes) {
                throw new Violation(Key.SAVED_REQUEST_LIMIT);
            }
        }
        return ByteBuffer.wrap(all.toByteArray()).asReadOnlyBuffer();
    }

    /** Whether the saved request differs from a plain GET of its location, by its method or by its body. */
    boolean differsFromGet() {
        return body.hasRemaining() || !(method.equals("GET") || method.equals("HEAD"));
    }

    /** The approximate size of this request in memory. */
    int bytes() {
        int bytes = OVERHEAD + 2 * location.length() + body.remaining();
        for (int i = 0; i < fields.size(); i++) {
            bytes += OVERHEAD + fields.name(i).length() + fields.value(i).length();
        }
        return bytes;
    }
}
