package io.penstock.loadtest.load;

import io.penstock.loadtest.client.DrivenLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A simulated server and its client. The server and the client run on the thread of the test, and the test sets their clock. So the
 * latencies do not depend on the load of the machine.
 */
final class SimulatedServer implements AutoCloseable {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    final DrivenLoop driven = new DrivenLoop();
    private final ServerSocketChannel socket;
    private final List<SocketChannel> connections = new ArrayList<>();
    private final StringBuilder heard = new StringBuilder();
    private long answers;

    SimulatedServer() throws IOException {
        socket = ServerSocketChannel.open();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.configureBlocking(false);
    }

    Request request() {
        return Request.get(
                Target.of(URI.create("http://127.0.0.1:" + socket.socket().getLocalPort() + "/")));
    }

    int accepted() {
        return connections.size();
    }

    long answers() {
        return answers;
    }

    /** Starts the load at the current time of the clock. */
    CompletableFuture<LoadResult> begin(Load load) {
        CompletableFuture<LoadResult> result = load.start();
        driven.round();
        return result;
    }

    /** Answers requests until {@code load} has received {@code total} responses. The clock does not advance. */
    void answerUntil(Load load, long total) {
        driven.until(() -> answer() & answered(load) >= total);
    }

    private long answered(Load load) {
        CompletableFuture<Load.Progress> progress = load.progress();
        driven.round();
        return progress.join().answered();
    }

    /** Accepts new connections, and answers all requests that have arrived. */
    boolean answer() {
        try {
            for (SocketChannel next = socket.accept(); next != null; next = socket.accept()) {
                next.configureBlocking(false);
                connections.add(next);
            }
            for (SocketChannel connection : connections) {
                answer(connection);
            }
            return true;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Answers the requests on one connection. Each request arrives completely, since the client sends each short request in one write. */
    private void answer(SocketChannel connection) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        if (connection.isOpen() && connection.read(bytes) < 0) {
            connection.close();
        }
        heard.setLength(0);
        heard.append(StandardCharsets.ISO_8859_1.decode(bytes.flip()));
        for (int at = heard.indexOf("\r\n\r\n"); at >= 0; at = heard.indexOf("\r\n\r\n", at + 4)) {
            connection.write(ByteBuffer.wrap(OK.getBytes(StandardCharsets.ISO_8859_1)));
            answers++;
        }
    }

    @Override
    public void close() throws IOException {
        driven.close();
        for (SocketChannel connection : connections) {
            connection.close();
        }
        socket.close();
    }
}
