package io.penstock.soak;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Runs all clients of a soak test. The clients use the thread of the caller and one selector. A disconnected client connects again. */
public final class Crowd {
    private static final long SELECT_MILLIS = 2;
    private static final int MAX_CONNECTS_PER_ROUND = 50;

    private final InetSocketAddress server;
    private final List<SoakClient> clients = new ArrayList<>();
    private final Tally tally = new Tally();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(64 * 1024);

    public Crowd(InetSocketAddress server, int size, long seed) {
        this.server = server;
        for (int number = 1; number <= size; number++) {
            clients.add(new SoakClient(number, seed, tally));
        }
    }

    /**
     * Sends requests for the given time, and then waits for the outstanding responses. On a busy machine, the given time can be too short
     * for the results that a test expects. Then the clients send requests for longer.
     *
     * @param enough whether the results are those that the test expects
     * @param patience the maximum additional time for these results, and the maximum wait for the last responses
     * @throws MixUp if a client receives wrong bytes, or does not receive a response
     */
    public Tally run(Duration time, Predicate<Tally> enough, Duration patience) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        long latestEnd = end + patience.toNanos();
        try (Selector selector = Selector.open()) {
            try {
                long now = System.nanoTime();
                while (now - end < 0 || (now - latestEnd < 0 && !enough.test(tally))) {
                    round(selector, now, false);
                    now = System.nanoTime();
                }
                for (long latest = now + patience.toNanos(); now - latest < 0; now = System.nanoTime()) {
                    if (clients.stream().allMatch(SoakClient::isDone)) {
                        return tally;
                    }
                    round(selector, now, true);
                }
                throw new MixUp("clients that have not received a response in time: "
                        + clients.stream().filter(client -> !client.isDone()).toList());
            } finally {
                for (SoakClient client : clients) {
                    client.disconnect();
                }
            }
        }
    }

    private void round(Selector selector, long now, boolean stopping) throws IOException {
        int arrivals = stopping ? 0 : MAX_CONNECTS_PER_ROUND;
        for (SoakClient client : clients) {
            if (client.isDisconnected() && arrivals > 0) {
                arrivals--;
                client.connectTo(server, selector);
            }
            client.wake(now, stopping);
        }
        selector.select(SELECT_MILLIS);
        for (SelectionKey key : selector.selectedKeys()) {
            ((SoakClient) key.attachment()).onReady(scratch, System.nanoTime(), stopping);
        }
        selector.selectedKeys().clear();
    }
}
