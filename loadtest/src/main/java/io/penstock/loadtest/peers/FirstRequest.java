package io.penstock.loadtest.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends the first request to a server that has just started. Thread: any; the methods block. */
public final class FirstRequest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OK = "HTTP/1.1 200 ";

    private FirstRequest() {}

    /** Does the same as {@link #send(Socket, String)}, over a new connection to 127.0.0.1. */
    public static long send(int port, String path) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return send(client, path);
        }
    }

    /**
     * Requests a page, and reads the whole response.
     *
     * @return the {@link System#nanoTime()} at which the status of the response had arrived
     * @throws ServerFailure if the status is not 200
     */
    static long send(Socket client, String path) throws IOException {
        client.setSoTimeout((int) PATIENCE.toMillis());
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream response = client.getInputStream();
        String status = new String(response.readNBytes(OK.length()), StandardCharsets.US_ASCII);
        final long answered = System.nanoTime();
        if (!status.equals(OK)) {
            throw new ServerFailure("The first request, for " + path + ", was answered with '" + status.strip() + "'");
        }
        response.transferTo(OutputStream.nullOutputStream());
        return answered;
    }
}
