package io.penstock.standalone;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends all its requests on one connection. */
final class KeptConnection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;

    KeptConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Sends a GET request, reads the whole response, and returns the status code. */
    int get(String path) throws IOException {
        send("GET " + path + " HTTP/1.1\r\nHost: here\r\n\r\n");
        return status();
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads the whole next response, and returns the status code. */
    int status() throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        long length = 0;
        boolean chunked = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (line.startsWith("Content-Length: ")) {
                length = Long.parseLong(line.substring("Content-Length: ".length()));
            }
            chunked |= line.equals("Transfer-Encoding: chunked");
        }
        if (chunked) {
            for (int size = chunkSize(); size > 0; size = chunkSize()) {
                in.skipNBytes(size);
                line();
            }
            line();
        } else {
            in.skipNBytes(length);
        }
        return status;
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended in: " + line);
            }
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
