package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.client.WebSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The session that controls the endpoint which sends messages to all readers: it starts the sending, and asks for reports. Thread: any except
 * the thread of the {@link ClientLoop}, one at a time.
 */
final class Broadcaster implements WebSocket.Listener {
    static final String READER = "/ws/broadcast/reader";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration BETWEEN_REPORTS = Duration.ofMillis(100);

    private final ClientLoop loop;
    private final CompletableFuture<WebSocket> opened = new CompletableFuture<>();
    private final StringBuilder answer = new StringBuilder();
    private CompletableFuture<Progress> asked = new CompletableFuture<>();

    private Broadcaster(ClientLoop loop) {
        this.loop = loop;
    }

    static Broadcaster open(ClientLoop loop, Target target) throws IOException, InterruptedException {
        Broadcaster control = new Broadcaster(loop);
        await(loop, () -> {
            try {
                WebSocket.open(loop, target, false, control);
            } catch (CallException cannot) {
                control.opened.completeExceptionally(cannot);
            }
            return control.opened;
        });
        return control;
    }

    /** Waits until the endpoint has so many readers. A reader knows of its session before the endpoint does. */
    void awaitReaders(int all) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        for (long known = ask("report").readers();
                known < all;
                known = ask("report").readers()) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new IOException("the server has only " + known + " of " + all + " readers after "
                        + PATIENCE.toSeconds() + " s");
            }
            Thread.sleep(BETWEEN_REPORTS.toMillis());
        }
    }

    /** Sends a text to the endpoint, and returns its report. */
    Progress ask(String text) throws IOException, InterruptedException {
        return await(loop, () -> {
            asked = new CompletableFuture<>();
            answer.setLength(0);
            opened.join().send(WebSocket.text(text, false));
            return asked;
        });
    }

    void close() {
        loop.execute(opened.join()::close);
    }

    static <T> T await(ClientLoop loop, Supplier<CompletableFuture<T>> task) throws IOException, InterruptedException {
        String late = "the server has not answered within " + PATIENCE.toSeconds() + " s";
        return ClientLoop.await(loop.begin(task), PATIENCE, late);
    }

    @Override
    public void onAccepted(WebSocket socket) {
        opened.complete(socket);
    }

    @Override
    public void onContent(ByteBuffer part) {
        answer.append(StandardCharsets.US_ASCII.decode(part));
    }

    @Override
    public void onMessage(WebSocket socket) {
        asked.complete(Progress.parse(answer.toString()));
    }

    @Override
    public void onEnd(WebSocket socket, CallException cause) {
        opened.completeExceptionally(cause);
        asked.completeExceptionally(cause);
    }

    /**
     * What the endpoint reports.
     *
     * @param sent the number of messages that it has sent to all readers
     * @param failed the calls that failed, or whose messages were not sent
     * @param longestMicros the longest call, which may be running
     * @param readers the number of readers whose sessions are open
     */
    record Progress(long sent, long failed, long longestMicros, long p999Micros, long readers) {
        private static Progress parse(String line) {
            long[] values = Stream.of(line.split(" "))
                    .mapToLong(pair -> Long.parseLong(pair.substring(pair.indexOf('=') + 1)))
                    .toArray();
            return new Progress(values[0], values[1], values[2], values[3], values[4]);
        }
    }
}
