package io.penstock.sample.slowclients;

import io.penstock.sample.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The slow clients of all visitors. Only one run is possible at a time. The run has a limited number of clients and a
 * limited time. After the run, there is a pause. So visitors cannot use this page to harm the server.
 *
 * <pre>
 *   READY --start--> RUNNING --20 s, or stop--> RESTING --10 s--> READY
 * </pre>
 */
public final class SlowClients {
    public static final String ATTRIBUTE = SlowClients.class.getName();

    static final int RUN_SECONDS = 20;
    static final int REST_SECONDS = 10;
    private static final int MILLIS_BETWEEN_DROPS = 1000;
    private static final long SECOND = 1_000_000_000;

    private final Later later;
    private final LongSupplier nanos;
    private final List<SlowClient> clients = new ArrayList<>();
    private State state = State.READY;
    private SlowKind kind = SlowKind.HEADS;
    private long until; // the end of the run or of the pause
    private int run;

    enum State {
        READY,
        RUNNING,
        RESTING
    }

    /**
     * The state that the page shows.
     *
     * @param connected the number of clients with an open connection
     * @param secondsLeft the seconds until the end of the run or of the pause; 0 in the state {@code READY}
     */
    record Status(State state, SlowKind kind, int connected, int secondsLeft) {}

    /** Runs a task once, after some milliseconds. */
    interface Later {
        void after(long millis, Runnable task);
    }

    public SlowClients(Ticker ticker) {
        this(ticker::after, System::nanoTime);
    }

    SlowClients(Later later, LongSupplier nanos) {
        this.later = later;
        this.nanos = nanos;
    }

    /**
     * Starts a run if the state is {@code READY}.
     *
     * @param port the port of this server at the loopback address
     * @return whether the run was started
     * @throws IOException if the server cannot be reached at this port; in this case, the pause begins at once
     */
    synchronized boolean start(SlowKind asked, int count, int port, String contextPath) throws IOException {
        look();
        if (state != State.READY) {
            return false;
        }
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        kind = asked;
        until = nanos.getAsLong() + RUN_SECONDS * SECOND;
        state = State.RUNNING;
        try {
            for (int i = 0; i < Math.min(count, asked.most()); i++) {
                clients.add(SlowClient.connect(asked, server, contextPath));
            }
        } catch (IOException unreachable) {
            rest();
            throw unreachable;
        }
        int mine = ++run;
        later.after(MILLIS_BETWEEN_DROPS, () -> tick(mine));
        return true;
    }

    private synchronized void tick(int mine) {
        look();
        if (state == State.RUNNING && run == mine) {
            clients.removeIf(client -> !client.goOn() && closed(client));
            later.after(MILLIS_BETWEEN_DROPS, () -> tick(mine));
        }
    }

    /** Ends the run. */
    public synchronized void stop() {
        if (state == State.RUNNING) {
            rest();
        }
    }

    synchronized Status status() {
        look();
        long left = state == State.READY ? 0 : (until - nanos.getAsLong() + SECOND - 1) / SECOND;
        return new Status(state, kind, clients.size(), (int) left);
    }

    /** Changes to the next state if the time of the current state is over. */
    private void look() {
        if (state == State.RUNNING && nanos.getAsLong() - until >= 0) {
            rest();
        }
        if (state == State.RESTING && nanos.getAsLong() - until >= 0) {
            state = State.READY;
        }
    }

    private void rest() {
        clients.forEach(SlowClients::closed);
        clients.clear();
        state = State.RESTING;
        until = nanos.getAsLong() + REST_SECONDS * SECOND;
    }

    private static boolean closed(SlowClient client) {
        try {
            client.close();
            return true;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
