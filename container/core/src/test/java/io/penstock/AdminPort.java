package io.penstock;

import io.penstock.admin.JsonValue;
import io.penstock.metrics.MetricsText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client of the admin port. It uses plain sockets, without an HTTP library. */
record AdminPort(int port) {
    private static final int PATIENCE_MILLIS = 60_000;

    static AdminPort of(Penstock server) {
        return new AdminPort(server.adminAddress().orElseThrow().getPort());
    }

    /** @param lines further field lines of the request */
    RawExchange get(String target, String... lines) throws IOException {
        return send("GET", target, "localhost:" + port, lines);
    }

    RawExchange send(String method, String target, String host, String... lines) throws IOException {
        return RawExchange.of(port, head(method, target, host, lines) + "Connection: close\r\n\r\n");
    }

    private static String head(String method, String target, String host, String... lines) {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n");
        for (String line : lines) {
            head.append(line).append("\r\n");
        }
        return head.toString();
    }

    MetricsText metrics() throws IOException {
        return MetricsText.read(get("/metrics", "Accept: application/openmetrics-text; version=1.0.0")
                .whole());
    }

    Object json(String target) throws IOException {
        return JsonValue.read(get(target, "Accept: application/json").whole());
    }

    /** Opens the event stream of the flow board (the page of the admin port). */
    Following follow() throws IOException {
        return new Following(port, 0);
    }

    /** Opens the event stream with a receive buffer of {@code bytes} bytes. If this buffer is full, the other data stays in the server. */
    Following followWithReceiveBuffer(int bytes) throws IOException {
        return new Following(port, bytes);
    }

    /** A client of the flow board's event stream. It reads only when a test calls one of its methods. */
    static final class Following implements AutoCloseable {
        private final Socket socket = new Socket();
        private final BufferedReader in;
        private final String statusLine;

        private Following(int port, int receiveBuffer) throws IOException {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            socket.getOutputStream()
                    .write((head("GET", "/events", "localhost") + "\r\n").getBytes(StandardCharsets.US_ASCII));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 256);
            statusLine = in.readLine();
        }

        int status() {
            return Integer.parseInt(statusLine.substring(9, 12));
        }

        /** Returns the next event of the stream. */
        Object next() throws IOException {
            return JsonValue.read(nextText());
        }

        String nextText() throws IOException {
            String line = in.readLine();
            while (line != null && !line.startsWith("data: ")) {
                line = in.readLine();
            }
            if (line == null) {
                throw new IOException("the stream has ended");
            }
            return line.substring("data: ".length());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
