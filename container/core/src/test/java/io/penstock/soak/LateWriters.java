package io.penstock.soak;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Simulates an application that keeps the output stream of a response after the response has ended. The application writes to this stream
 * while the server handles the next request of the connection. No client may receive these late bytes.
 */
final class LateWriters {
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /** The stream of an exchange that has ended. */
    private record Kept(ServletOutputStream out, String token) {}

    /** Keeps the stream until the next request of the same connection. */
    void keep(HttpServletRequest request, ServletOutputStream out) {
        kept.put(connection(request), new Kept(out, request.getHeader("X-Token")));
    }

    /**
     * Writes to the kept stream of an earlier response. This response has ended, because the next request of the connection has arrived.
     */
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
            refused.increment(); // the expected result
        }
    }

    long refused() {
        return refused.sum();
    }

    private static String connection(HttpServletRequest request) {
        return request.getServletConnection().getConnectionId();
    }
}
