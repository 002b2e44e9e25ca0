package io.penstock.soak;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Applications that keep the stream of a response for longer than the response lasts, and go on writing: while the next request of the
 * same connection is served, which is the worst moment. Nobody may ever read that.
 */
final class LateWriters {
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /** A stream that its exchange has left behind. */
    private record Kept(ServletOutputStream out, String token) {}

    /** Remembers the stream until the same connection asks for something else. */
    void keep(HttpServletRequest request, ServletOutputStream out) {
        kept.put(connection(request), new Kept(out, request.getHeader("X-Token")));
    }

    /** A request has come: whatever the same connection has been answered before is over. */
    void writeTooLate(HttpServletRequest request) {
        Kept former = kept.remove(connection(request));
        if (former == null) {
            return;
        }
        byte[] foreign = ("too late, " + former.token()).getBytes(StandardCharsets.ISO_8859_1);
        try {
            for (int i = 0; i < 5; i++) {
                former.out().write(foreign);
                former.out().flush();
            }
            former.out().close();
        } catch (IOException | IllegalStateException e) {
            refused.increment(); // as it must be
        }
    }

    long refused() {
        return refused.sum();
    }

    private static String connection(HttpServletRequest request) {
        return request.getServletConnection().getConnectionId();
    }
}
