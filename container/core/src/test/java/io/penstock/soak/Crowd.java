package io.penstock.soak;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs all clients of a soak test. The clients use the thread of the caller and one selector. A disconnected client connects again. */
public final class Crowd {
    private static final long SELECT_MILLIS = 2;
    private static final int MOST_CONNECTS_PER_ROUND = 50;

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
     * Sends requests for the given time, and then waits for the outstanding responses.
     *
     * @param patience the maximum wait for the last responses
     * @throws MixUp if a client receives wrong bytes, or does not receive a response
     */
    public Tally run(Duration time, Duration patience) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        long latest = end + patience.toNanos();
        try (Selector selector = Selector.open()) {
            try {
                for (long now = System.nanoTime(); now - latest < 0; now = System.nanoTime()) {
                    boolean stopping = now - end >= 0;
                    if (stopping && clients.stream().allMatch(SoakClient::isDone)) {
                        return tally;
                    }
                    round(selector, now, stopping);
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
        int arrivals = stopping ? 0 : MOST_CONNECTS_PER_ROUND;
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
