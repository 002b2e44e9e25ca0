package io.penstock.footprint;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Sends one request many times over one connection, and measures each request separately. Each request is sent when the server is idle. The
 * counts ({@link Footprint}) of a GET request are always the same, unless a timer runs. The counts of a request with a large body differ,
 * because the number of reads depends on the operating system.
 *
 * @param bytes the bytes of the request
 * @param expectedBody the expected body of the response
 */
record MeasuredRequest(byte[] bytes, String expectedBody) {
    /** After this number of requests, the server has created all objects that are created only once. */
    private static final int WARM_UP = 30;

    /** The timeout for a response. If no response arrives, the test fails. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** The server is idle if no method was entered for this time. */
    private static final Duration IDLE_TIME = Duration.ofMillis(10);

    static MeasuredRequest get() {
        return new MeasuredRequest(head("GET", ""), "Hello, World!");
    }

    static MeasuredRequest post(int length) {
        byte[] head = head("POST", "Content-Type: application/octet-stream\r\nContent-Length: " + length + "\r\n");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head);
        all.writeBytes(new byte[length]);
        return new MeasuredRequest(all.toByteArray(), Integer.toString(length));
    }

    private static byte[] head(String method, String more) {
        return (method + " /hello HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Sends the given number of requests, and returns their footprints. Footprints with fewer calls between files come first. */
    List<Footprint> measure(int port, int requests) throws IOException, InterruptedException {
        List<Footprint> footprints = new ArrayList<>();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            Probes.awaitIdle(IDLE_TIME);
            for (int i = 0; i < WARM_UP + requests; i++) {
                Probes.take();
                socket.getOutputStream().write(bytes);
                readResponse(socket.getInputStream());
                Probes.awaitIdle(IDLE_TIME);
                if (i >= WARM_UP) {
                    footprints.add(Probes.take());
                }
            }
        }
        footprints.sort(Comparator.comparingInt(each -> Footprint.sum(each.switches())));
        return footprints;
    }

    /** Sends the request {@code times} times. Reads each response before the next request is sent. */
    void sendRepeatedly(Socket socket, int times) throws IOException {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        for (int i = 0; i < times; i++) {
            socket.getOutputStream().write(bytes);
            readResponse(socket.getInputStream());
        }
    }

    /** Reads a response up to the end of the expected body. */
    private void readResponse(InputStream in) throws IOException {
        StringBuilder read = new StringBuilder();
        while (!read.toString().endsWith("\r\n\r\n" + expectedBody)) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the expected body is " + expectedBody + ", but the server sent " + read);
            }
            read.append((char) next);
        }
    }
}
