package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.WebSocket;
import io.penstock.loadtest.load.LoadResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Messages over WebSocket. A session that has its message back sends the next one. In a broadcast, one session sends the next message when all
 * readers have the last one; each reader's message counts.
 *
 * @param way what the server does with a message
 * @param bytes the length of a message
 * @param sessions the number of sessions that get messages
 * @param deflated whether messages are compressed
 */
record Messages(Way way, int bytes, int sessions, boolean deflated) implements Job.Together, Job.OfWebSocket {
    enum Way {
        ECHO_TEXT("echo of a text"),
        ECHO_BINARY("echo"),
        BROADCAST_BASIC("broadcast by getBasicRemote"),
        BROADCAST_ASYNC("broadcast by getAsyncRemote");

        private final String title;

        Way(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        boolean isEcho() {
            return this == ECHO_TEXT || this == ECHO_BINARY;
        }
    }

    private static final String SENDER = "/ws/broadcast/basic";
    private static final int USUAL_BUFFER = 8 << 10;
    private static final Duration TO_END = Duration.ofSeconds(30);

    @Override
    public int connections() {
        return sessions + 2; // the sender, and the session that asks for the readers
    }

    @Override
    public int files() {
        return sessions;
    }

    @Override
    public void warmUp(Stage stage, Contender contender, Duration time) throws IOException, InterruptedException {
        exchange(stage, contender, time);
    }

    @Override
    public void measure(Stage stage, Contender contender, Figures figures) throws IOException, InterruptedException {
        Requests.measure(stage.sizes().duration(), contender, Figure.MESSAGE_CPU, figures, time -> {
            Exchange exchange = exchange(stage, contender, time);
            Client.Got got = exchange.got();
            figures.by(Client.OWN)
                    .put(Figure.MESSAGES, got.good() / got.seconds())
                    .put(Figure.WIRE, exchange.receivedBytes() / (double) Math.max(1, exchange.messages))
                    .put(Figure.P50, got.p50())
                    .put(Figure.P99, got.p99());
            return got;
        });
    }

    private Exchange exchange(Stage stage, Contender contender, Duration time)
            throws IOException, InterruptedException {
        try (ClientLoop loop = ClientLoop.start(stage.clients(connections()))) {
            Exchange exchange = new Exchange(contender, loop, time);
            Broadcaster.await(loop, exchange::open);
            if (!way.isEcho()) {
                Broadcaster control = Broadcaster.open(loop, contender.target(SENDER));
                control.awaitReaders(sessions);
                control.close();
            }
            ClientLoop.await(loop.begin(exchange::begin), TO_END.plus(time), "the messages did not end in time");
            return exchange;
        }
    }

    /** Text that can be compressed, as JSON with names and numbers. */
    static String content(int bytes) {
        Random numbers = new Random(42);
        StringBuilder text = new StringBuilder();
        while (text.length() < bytes) {
            text.append("{\"id\":").append(numbers.nextInt(1_000_000)).append(",\"price\":");
            text.append(numbers.nextInt(10_000) / 100.0).append(",\"open\":true},");
        }
        return text.substring(0, bytes);
    }

    /** The sessions of one turn. Thread: the thread of the {@link ClientLoop}, until the future of {@link #begin} is complete. */
    private final class Exchange implements WebSocket.Listener {
        private final Contender contender;
        private final ClientLoop loop;
        private final Duration time;
        private final ByteBuffer message;
        private final Histogram latency = new Histogram(3);
        private final CompletableFuture<Void> opened = new CompletableFuture<>();
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final List<WebSocket> all = new ArrayList<>();
        private int accepted;
        private int pending;
        private long messages;
        private long begun;
        private long sentAt;
        private long elapsed;

        Exchange(Contender contender, ClientLoop loop, Duration time) {
            this.contender = contender;
            this.loop = loop;
            this.time = time;
            String content = content(bytes);
            this.message = way == Way.ECHO_BINARY
                    ? WebSocket.binary(content.getBytes(StandardCharsets.US_ASCII), deflated)
                    : WebSocket.text(content, deflated);
        }

        /** Opens all sessions; in a broadcast, the last one is the sender. */
        CompletableFuture<Void> open() {
            try {
                for (int i = 0; i < sessions; i++) {
                    openSession(way.isEcho() ? echo() : Broadcaster.READER);
                }
                if (!way.isEcho()) {
                    openSession(way == Way.BROADCAST_BASIC ? SENDER : "/ws/broadcast/async");
                }
            } catch (CallException cannot) {
                opened.completeExceptionally(cannot);
            }
            return opened;
        }

        /** For a long message the server needs a larger buffer than its own. Some servers decompress only what is shorter than the buffer. */
        private String echo() {
            return bytes > USUAL_BUFFER ? "/ws/echo?buffer=" + 2 * bytes : "/ws/echo";
        }

        private void openSession(String path) throws CallException {
            all.add(WebSocket.open(loop, contender.target(path), deflated, this));
        }

        @Override
        public void onAccepted(WebSocket socket) {
            accepted++;
            if (accepted == all.size()) {
                opened.complete(null);
            }
        }

        CompletableFuture<Void> begin() {
            begun = loop.nanos();
            loop.after(time.toMillis(), this::end);
            if (way.isEcho()) {
                all.forEach(session -> session.send(message));
            } else {
                broadcast();
            }
            return done;
        }

        private void broadcast() {
            pending = sessions;
            sentAt = loop.nanos();
            all.get(sessions).send(message);
        }

        @Override
        public void onMessage(WebSocket socket) {
            messages++;
            if (way.isEcho()) {
                socket.send(message);
                return;
            }
            pending--;
            if (pending == 0) {
                latency.recordValue(loop.nanos() - sentAt);
                broadcast();
            }
        }

        @Override
        public void onEnd(WebSocket socket, CallException cause) {
            opened.completeExceptionally(cause);
            done.completeExceptionally(cause);
        }

        private void end() {
            elapsed = loop.nanos() - begun;
            all.forEach(WebSocket::close);
            done.complete(null);
        }

        long receivedBytes() {
            return all.stream().mapToLong(WebSocket::receivedBytes).sum();
        }

        Client.Got got() {
            double seconds = elapsed / (double) TimeUnit.SECONDS.toNanos(1);
            return new Client.Got(
                    messages, 0, seconds, LoadResult.millis(latency, 50), LoadResult.millis(latency, 99), "");
        }
    }
}
