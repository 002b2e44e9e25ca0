package io.penstock.loadtest.client;

import io.penstock.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A {@link ClientLoop} for tests. The test runs each round of the loop, sets the clock of the loop, and acts as the server. All code runs
 * on the thread of the test.
 */
public final class DrivenLoop implements AutoCloseable {
    private static final long MAX_WAIT_NANOS = 1_000_000;

    final ServerSocket server;
    public final ClientLoop loop;
    private final List<Socket> peers = new ArrayList<>();
    private long now = 5_000_000_000L;

    DrivenLoop(ClientSettings settings) {
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            loop = ClientLoop.driven(settings, clock());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public DrivenLoop() {
        this(ClientSettings.defaults());
    }

    Clock clock() {
        return () -> now;
    }

    /** Advances the clock, and runs one round of the loop. */
    public void pass(Duration time) {
        now += time.toNanos();
        round();
    }

    long in(Duration time) {
        return now + time.toNanos();
    }

    public void round() {
        try {
            loop.round(MAX_WAIT_NANOS);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Runs rounds of the loop until the condition is true. If the condition never becomes true, the test ends with a timeout. */
    public void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            round();
        }
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    Target target(String path) {
        return Target.of(url(path));
    }

    URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + path);
    }

    /** Accepts the next connection, and returns the server's side of this connection. */
    Peer accept() throws IOException {
        return new Peer(keep(server.accept()));
    }

    /** Registers a socket, so that {@link #close} closes it. */
    Socket keep(Socket socket) {
        peers.add(socket);
        return socket;
    }

    @Override
    public void close() {
        try {
            loop.close();
            for (Socket peer : peers) {
                peer.close();
            }
            server.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The server's side of a connection. */
    final class Peer {
        final Socket socket;

        private Peer(Socket socket) {
            this.socket = socket;
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Reads the bytes up to and including the text {@code end}. While bytes are missing, the loop continues to run. */
        String read(String end) throws IOException {
            StringBuilder heard = new StringBuilder();
            while (heard.indexOf(end) < 0) {
                heard.append(read(1));
            }
            return heard.toString();
        }

        /** Reads the given number of bytes. While bytes are missing, the loop continues to run. */
        String read(int length) throws IOException {
            StringBuilder heard = new StringBuilder();
            while (heard.length() < length) {
                int available = Math.min(socket.getInputStream().available(), length - heard.length());
                if (available == 0) {
                    round();
                } else {
                    byte[] bytes = socket.getInputStream().readNBytes(available);
                    heard.append(new String(bytes, StandardCharsets.ISO_8859_1));
                }
            }
            return heard.toString();
        }

        void readRequest() throws IOException {
            read("\r\n\r\n");
        }

        void close() throws IOException {
            socket.close();
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
