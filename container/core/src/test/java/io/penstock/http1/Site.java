package io.penstock.http1;

import io.penstock.exchange.Admission;
import io.penstock.exchange.Bulkhead;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.exchange.SpoolHistory;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Key;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A small application for tests. Tests add handlers for paths. For all other paths, the response has the method, the path and the body of
 * the request.
 *
 * <p>Paths that begin with {@code /stream} have streaming requests: the handler runs before the whole body has arrived. Admission answers
 * {@code /refused} with 404. {@code /limited} accepts a body of at most ten bytes.
 */
public class Site implements Admission, ExchangeHandler {
    private final Map<String, ExchangeHandler> handlers = new ConcurrentHashMap<>();
    private final Map<String, SpoolHistory> histories = new ConcurrentHashMap<>();
    private final Map<String, Bulkhead> bulkheads = new ConcurrentHashMap<>();
    private volatile long bodyLimit = Long.MAX_VALUE;

    public Site on(String path, ExchangeHandler handler) {
        handlers.put(path, handler);
        return this;
    }

    /** Adds a bulkhead for one path. Call this method before the server is created. */
    public Site bulkhead(Bulkhead bulkhead) {
        bulkheads.put(bulkhead.limits().path(), bulkhead);
        return this;
    }

    List<Bulkhead> bulkheads() {
        return List.copyOf(bulkheads.values());
    }

    public Site bodyLimit(long bytes) {
        bodyLimit = bytes;
        return this;
    }

    @Override
    public Verdict admit(RequestHead head) {
        String path = head.target().path();
        if (path.equals("/refused")) {
            return new Refused(404, Fields.EMPTY);
        }
        if (path.equals("/elsewhere")) {
            return new Limited(Key.UNKNOWN_HOST, Fields.EMPTY);
        }
        if (head.method().equals("TRACE")) {
            return new Limited(Key.TRACE_METHOD, Fields.EMPTY);
        }
        Mode mode = path.startsWith("/stream") ? Mode.STREAMING : Mode.BUFFERED;
        SpoolHistory history = histories.computeIfAbsent(path, first -> new SpoolHistory());
        return new Admitted(path, mode, path.equals("/limited") ? 10 : bodyLimit, history, bulkheads.get(path), 0);
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        handlers.getOrDefault((String) exchange.route(), Site::echo).handle(exchange);
    }

    public static void echo(Exchange exchange) throws IOException {
        byte[] body = readAll(exchange);
        text(
                exchange,
                exchange.head().method() + " " + exchange.head().target().path() + "\n"
                        + new String(body, StandardCharsets.ISO_8859_1));
    }

    /** Sends a response with status 200 and this text. */
    public static void text(Exchange exchange, String text) throws IOException {
        exchange.response().head(new ResponseHead(200, new FieldList().add("Content-Type", "text/plain"), -1));
        exchange.response().write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), true);
    }

    public static byte[] readAll(Exchange exchange) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        for (int n = exchange.body().read(buffer, 0, buffer.length);
                n >= 0;
                n = exchange.body().read(buffer, 0, buffer.length)) {
            all.write(buffer, 0, n);
        }
        return all.toByteArray();
    }
}
