package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.client.WebSocket;
import io.penstock.loadtest.compare.Broadcaster.Progress;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.crowd.SlowClient.Manner;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Readers of WebSocket messages that read at once, beside readers that never read. One thread of the server sends the same messages to all, one
 * reader after the other, by {@code getBasicRemote} or {@code getAsyncRemote}.
 */
record DeadReaders(Sizes sizes, boolean async) implements Job.Alone, Job.OfWebSocket {
    static final Size<Integer> READERS = Size.count("--readers", 100, 5, "Number of readers that read.");
    static final Size<Integer> DEAD = Size.number("--dead", 100, 5, "Number of readers that never read.");
    static final Size<Integer> MESSAGES = Size.count("--messages", 2000, 200, "Number of messages for each reader.");
    static final Size<Integer> BYTES = Size.count("--bytes", 16 << 10, 16 << 10, "Bytes of a message.");
    static final Size<Integer> RATE =
            Size.number("--rate", 0, 0, "Messages a second for each reader. With 0 the sender makes no pauses.");
    static final Size<Duration> WITHIN = Size.time("--within", "2m", "10s", "Time limit for sending all messages.");

    static final List<Size<?>> SIZES = List.of(READERS, DEAD, MESSAGES, BYTES, RATE, WITHIN);

    private static final int SMALL_BUFFER = 16 << 10;
    private static final Duration TO_OPEN = Duration.ofSeconds(30);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    /** After the last call of the sender, the readers may still have to read what waits for them. They have so many looks without news. */
    private static final int LOOKS_WITHOUT_NEWS = 6;

    @Override
    public int connections() {
        return sizes.of(READERS) + sizes.of(DEAD) + 1;
    }

    @Override
    public int files() {
        return sizes.of(READERS) + sizes.of(DEAD);
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        int dead = sizes.of(DEAD);
        try (ServerProcess process = stage.start(server);
                ClientLoop loop = ClientLoop.start(stage.clients(sizes.of(READERS) + 1));
                ClientLoop slow =
                        ClientLoop.start(stage.clients(Math.max(1, dead)).withSocketBuffers(SMALL_BUFFER, 0))) {
            String path = "/ws/broadcast/" + (async ? "async" : "basic");
            Broadcaster sender = Broadcaster.open(loop, process.target(path));
            Readers readers = new Readers();
            Target reader = process.target(Broadcaster.READER);
            Broadcaster.await(loop, () -> readers.open(loop, reader));
            CrowdPlan plan = CrowdPlan.of(dead, SlowClient.WS_READER, Manner.to(reader));
            try (RunningCrowd crowd = RunningCrowd.gather(slow, plan, TO_OPEN)) {
                sender.awaitReaders(sizes.of(READERS) + dead);
                observe(process, sender, readers, figures);
                figures.put(Figure.HEAP, process.collectTwice().heapBytes() / 1e6)
                        .note(crowd.tally().lastTrouble());
            }
        }
    }

    /** Waits until all messages are sent and read and the dead readers are closed, or until the time is over. */
    private void observe(ServerProcess process, Broadcaster sender, Readers readers, Figures figures)
            throws IOException, InterruptedException {
        Watch watch = new Watch(process);
        long begun = System.nanoTime();
        int withoutNews = 0;
        long before = 0;
        Progress report = sender.ask("send " + sizes.of(MESSAGES) + " " + sizes.of(BYTES) + " " + sizes.of(RATE));
        while (System.nanoTime() - begun < sizes.of(WITHIN).toNanos()
                && (report.sent() < sizes.of(MESSAGES)
                        || withoutNews < LOOKS_WITHOUT_NEWS
                        || report.readers() > readers.alive.get())) {
            Thread.sleep(BETWEEN_LOOKS.toMillis());
            report = sender.ask("report");
            long read = readers.read().sum();
            withoutNews = read == before ? withoutNews + 1 : 0;
            before = read;
            watch.look();
            watch.put(figures);
            figures.put(Figure.SENT, report.sent())
                    .put(Figure.CALL_P999, report.p999Micros() / 1e3)
                    .put(Figure.CALL_MOST, report.longestMicros() / 1e3)
                    .put(Figure.CALLS_FAILED, report.failed())
                    .put(Figure.DEAD_CLOSED, sizes.of(DEAD) + readers.alive.get() - report.readers())
                    .put(Figure.READ, read / (double) sizes.of(READERS))
                    .put(Figure.FEWEST_READ, readers.read().min().orElse(0));
        }
        figures.note(readers.trouble);
    }

    /** The readers that read. Thread: the thread of the {@link ClientLoop}; counts: any. */
    private final class Readers {
        private final AtomicLongArray read = new AtomicLongArray(sizes.of(READERS));
        private final AtomicInteger alive = new AtomicInteger();
        private final CompletableFuture<Boolean> opened = new CompletableFuture<>();
        private volatile String trouble = "";

        LongStream read() {
            return IntStream.range(0, read.length()).mapToLong(read::get);
        }

        CompletableFuture<Boolean> open(ClientLoop loop, Target target) {
            try {
                for (int i = 0; i < read.length(); i++) {
                    WebSocket.open(loop, target, false, new Reader(i));
                }
            } catch (CallException cannot) {
                opened.completeExceptionally(cannot);
            }
            return opened;
        }

        private final class Reader implements WebSocket.Listener {
            private final int index;

            Reader(int index) {
                this.index = index;
            }

            @Override
            public void onAccepted(WebSocket socket) {
                if (alive.incrementAndGet() == read.length()) {
                    opened.complete(true);
                }
            }

            @Override
            public void onMessage(WebSocket socket) {
                read.incrementAndGet(index);
            }

            @Override
            public void onEnd(WebSocket socket, CallException cause) {
                alive.decrementAndGet();
                trouble = "a reader that reads: " + cause.getMessage();
                opened.completeExceptionally(cause);
            }
        }
    }
}
