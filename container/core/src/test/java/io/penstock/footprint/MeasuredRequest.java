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
 * Sends one request many times over one connection, each when the server has come to rest, and counts each alone. A GET is the same each
 * time, but for a timer now and then. How many reads a large body takes depends on the system.
 *
 * @param answer the expected body of the response
 */
record MeasuredRequest(byte[] bytes, String answer) {
    /** After so many all that is made once has been made. */
    private static final int WARM_UP = 30;

    /** Longer than any answer takes: without one the test fails instead of waiting for ever. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration REST = Duration.ofMillis(10);

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

    /** The footprints of so many requests, those with fewer switches first. */
    List<Footprint> measure(int port, int requests) throws IOException, InterruptedException {
        List<Footprint> footprints = new ArrayList<>();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            Probes.awaitQuiet(REST);
            for (int i = 0; i < WARM_UP + requests; i++) {
                Probes.take();
                socket.getOutputStream().write(bytes);
                readAnswer(socket.getInputStream());
                Probes.awaitQuiet(REST);
                if (i >= WARM_UP) {
                    footprints.add(Probes.take());
                }
            }
        }
        footprints.sort(Comparator.comparingInt(each -> Footprint.sum(each.switches())));
        return footprints;
    }

    /** Sends it so often, each time when the answer has come. */
    void askOften(Socket socket, int times) throws IOException {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        for (int i = 0; i < times; i++) {
            socket.getOutputStream().write(bytes);
            readAnswer(socket.getInputStream());
        }
    }

    /** Reads to the expected end: the answer's text is its whole body. */
    private void readAnswer(InputStream in) throws IOException {
        StringBuilder read = new StringBuilder();
        while (!read.toString().endsWith("\r\n\r\n" + answer)) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("instead of " + answer + ": " + read);
            }
            read.append((char) next);
        }
    }
}
