package io.penstock.standalone;

import io.penstock.Penstock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Clients that send only a part of their requests, or do not read their responses. */
final class SlowClients implements AutoCloseable {
    private static final int SMALL = 2048;

    private final Penstock server;
    private final List<Socket> sockets = new ArrayList<>();

    SlowClients(Penstock server) {
        this.server = server;
    }

    /** Adds clients that send only the given bytes, and read nothing. */
    void send(int count, String bytes) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket();
            sockets.add(socket);
            socket.setReceiveBufferSize(SMALL);
            socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    void sendHalfBodies(int count) throws IOException {
        send(count, "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(3000));
    }

    /** Adds clients that send complete bodies. Each body needs more memory than the small buffers that a request gets first. */
    void sendBodies(int count) throws IOException {
        send(count, "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n" + "x".repeat(50_000));
    }

    void get(int count, String target) throws IOException {
        send(count, "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    /** Disconnects all clients. */
    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
