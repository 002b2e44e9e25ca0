package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.ClientLoop;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Sends requests at a constant rate over kept connections. It is an open loop: a request is due at its time, however slowly
 * the earlier ones are answered, and its latency counts from that time, so a pause of the server shows in all requests that
 * were due meanwhile.
 *
 * <p>Thread: the loop. Owns: its connections.
 */
final class SteadyRequests {
    private static final long LONGEST_LATENCY = TimeUnit.MINUTES.toMicros(10);

    private final ClientLoop loop;
    private final SteadyPlan plan;
    private final Deque<SteadyConnection> free = new ArrayDeque<>();
    private final Deque<Long> waiting = new ArrayDeque<>();
    private final Histogram latencies = new Histogram(LONGEST_LATENCY, 3);
    private final CompletableFuture<RunResult> result = new CompletableFuture<>();
    private String firstTrouble = "";
    private long start;
    private int due;
    private int connections;
    private int answered;
    private int refused;
    private int failed;

    SteadyRequests(ClientLoop loop, SteadyPlan plan) {
        this.loop = loop;
        this.plan = plan;
    }

    CompletableFuture<RunResult> run() {
        start = System.nanoTime();
        next();
        return result;
    }

    ClientLoop loop() {
        return loop;
    }

    SteadyPlan plan() {
        return plan;
    }

    /** A request was answered, and its connection may be used again. */
    void onAnswer(SteadyConnection connection, int status, long dueAt) {
        count(status, dueAt);
        Long next = waiting.poll();
        if (next != null) {
            connection.ask(next);
        } else {
            // The one used last is used next: so no more connections are kept than are needed.
            free.addLast(connection);
        }
        finishIfDone();
    }

    /** A request was answered, and its connection is closed. */
    void onLastAnswer(int status, long dueAt) {
        count(status, dueAt);
        onConnectionGone();
        finishIfDone();
    }

    /** A request was not answered, and its connection is closed. */
    void onFailure(String trouble) {
        onConnectionGone();
        fail(trouble);
    }

    /** The server has closed a connection that was not in use. */
    void onFreeConnectionGone(SteadyConnection connection) {
        free.remove(connection);
        onConnectionGone();
    }

    private void next() {
        long dueAt = start + due * TimeUnit.SECONDS.toNanos(1) / plan.perSecond();
        long now = System.nanoTime();
        if (dueAt - now > 0) {
            loop.at(dueAt, this::next);
            return;
        }
        due++;
        if (due < plan.requests()) {
            loop.at(start + due * TimeUnit.SECONDS.toNanos(1) / plan.perSecond(), this::next);
        }
        send(dueAt);
    }

    private void send(long dueAt) {
        SteadyConnection connection = free.pollLast();
        if (connection != null) {
            connection.ask(dueAt);
        } else if (connections < plan.mostConnections()) {
            open(dueAt);
        } else {
            waiting.add(dueAt);
        }
    }

    private void open(long dueAt) {
        try {
            loop.open(plan.target().address(), new SteadyConnection(this, dueAt));
            connections++;
        } catch (IOException cannot) {
            fail(String.valueOf(cannot.getMessage()));
        }
    }

    private void onConnectionGone() {
        connections--;
        Long next = waiting.poll();
        if (next != null) {
            open(next);
        }
    }

    private void count(int status, long dueAt) {
        if (status < 400) {
            answered++;
            long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - dueAt);
            latencies.recordValue(Math.min(micros, LONGEST_LATENCY));
        } else {
            refused++;
            note("status " + status);
        }
    }

    private void fail(String trouble) {
        failed++;
        note(trouble);
        finishIfDone();
    }

    private void note(String trouble) {
        if (firstTrouble.isEmpty()) {
            firstTrouble = trouble;
        }
    }

    private void finishIfDone() {
        if (answered + refused + failed == plan.requests()) {
            free.forEach(SteadyConnection::close);
            free.clear();
            result.complete(new RunResult(plan.requests(), answered, refused, failed, firstTrouble, latencies));
        }
    }
}
