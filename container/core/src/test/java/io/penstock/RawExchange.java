package io.penstock;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * All bytes that a server sends on one connection until the end of the connection. Each char of the text is one byte.
 *
 * @param text all received bytes
 */
record RawExchange(String text) {
    private static final int READ_TIMEOUT_MILLIS = 60_000;

    /** @param bytes one or more requests; the last request must make the server close the connection */
    static RawExchange of(Penstock server, String bytes) throws IOException {
        return of(server.port(), bytes);
    }

    /** Sends the bytes to a port of this machine, and reads all responses until the server closes the connection. */
    static RawExchange of(int port, String bytes) throws IOException {
        try (Socket socket = begin(port, bytes)) {
            return new RawExchange(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        }
    }

    /** Sends the bytes. The caller reads the response from the socket, and closes the socket. */
    static Socket begin(Penstock server, String bytes) throws IOException {
        return begin(server.port(), bytes);
    }

    /** Sends the bytes to a port of this machine. The caller reads the response from the socket, and closes the socket. */
    static Socket begin(int port, String bytes) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        try {
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends a GET request for a target, with additional header field lines. */
    static RawExchange get(Penstock server, String target, String... lines) throws IOException {
        StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: good.example\r\n");
        for (String line : lines) {
            request.append(line).append("\r\n");
        }
        return of(server, request.append("Connection: close\r\n\r\n").toString());
    }

    int status() {
        return Integer.parseInt(text.substring(9, 12));
    }

    String head() {
        return text.substring(0, text.indexOf("\r\n\r\n"));
    }

    String body() {
        return text.substring(text.indexOf("\r\n\r\n") + 4);
    }

    /** Returns the body of the response. If the body is chunked, removes the chunk framing. */
    String whole() {
        if (values("Transfer-Encoding").isEmpty()) {
            return body();
        }
        StringBuilder whole = new StringBuilder();
        String rest = body();
        for (int size = -1; size != 0; ) {
            int line = rest.indexOf("\r\n");
            size = Integer.parseInt(rest.substring(0, line), 16);
            whole.append(rest, line + 2, line + 2 + size);
            rest = rest.substring(line + 2 + size + 2);
        }
        return whole.toString();
    }

    /** Returns the values of all field lines with the given name. */
    List<String> values(String name) {
        String start = name.toLowerCase(Locale.ROOT) + ":";
        return head().lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .toList();
    }
}
