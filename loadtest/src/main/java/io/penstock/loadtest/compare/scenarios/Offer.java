package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Exchange;
import io.penstock.loadtest.client.HttpConnection;
import io.penstock.loadtest.client.OnLoop;
import io.penstock.loadtest.client.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run of requests at a constant rate over kept connections, an open loop: a request is due at its time, however slowly
 * the earlier ones are answered, and its latency counts from that time. Each one's fate is kept, with its time.
 *
 * <p>Thread: the loop. Owns: its connections.
 */
final class Offer implements HttpConnection.Listener {
    private final ClientLoop loop;
    private final ConstantRate rate;
    private final Request request;
    private final List<Answer> answers;
    private final Deque<HttpConnection> free = new ArrayDeque<>();
    private final Deque<Long> waiting = new ArrayDeque<>();
    private final CompletableFuture<Answers> outcome = new CompletableFuture<>();
    private final long start = System.nanoTime();
    private int due;
    private int connections;

    private Offer(ClientLoop loop, ConstantRate rate) {
        this.loop = loop;
        this.rate = rate;
        this.request = Request.get(rate.target());
        this.answers = new ArrayList<>(rate.requests());
    }

    /** Starts a run. Thread: any but the loop. */
    static CompletableFuture<Answers> begin(ClientLoop loop, ConstantRate rate) {
        return OnLoop.begin(loop, () -> onLoop(loop, rate));
    }

    /** Starts a run. Thread: the loop. */
    static CompletableFuture<Answers> onLoop(ClientLoop loop, ConstantRate rate) {
        Offer offer = new Offer(loop, rate);
        offer.next();
        return offer.outcome;
    }

    @Override
    public void onClosed(HttpConnection connection, @Nullable CallException cause) {
        connections--;
        free.remove(connection);
        Long next = waiting.poll();
        if (next != null) {
            send(next);
        }
    }

    /** All that is due is sent, then the loop is asked to come back for the next. */
    private void next() {
        while (due < rate.requests() && dueAt(due) - System.nanoTime() <= 0) {
            due++;
            send(dueAt(due - 1));
        }
        if (due < rate.requests()) {
            loop.at(dueAt(due), this::next);
        }
    }

    private long dueAt(int number) {
        return start + number * TimeUnit.SECONDS.toNanos(1) / rate.perSecond();
    }

    private void send(long at) {
        HttpConnection connection = free.pollLast();
        if (connection != null) {
            ask(connection, at);
        } else if (connections < rate.connections()) {
            open(at);
        } else {
            waiting.add(at);
        }
    }

    private void open(long at) {
        try {
            HttpConnection opened = HttpConnection.open(loop, rate.target().address(), this);
            connections++;
            ask(opened, at);
        } catch (CallException cannot) {
            keep(new Answer(at - start, System.nanoTime() - at, 0, cannot.failure()));
        }
    }

    private void ask(HttpConnection connection, long at) {
        connection.send(request, at + rate.deadline().toNanos(), new Call(connection, at));
    }

    /** The connection used last is used next: so no more are kept than are needed. */
    private void giveBack(HttpConnection connection) {
        Long next = waiting.poll();
        if (next != null) {
            ask(connection, next);
        } else {
            free.addLast(connection);
        }
    }

    private void keep(Answer answer) {
        answers.add(answer);
        if (answers.size() == rate.requests()) {
            free.forEach(HttpConnection::close);
            free.clear();
            outcome.complete(new Answers(answers));
        }
    }

    /** One request under way. */
    private final class Call implements Exchange {
        private final HttpConnection connection;
        private final long at;

        Call(HttpConnection connection, long at) {
            this.connection = connection;
            this.at = at;
        }

        @Override
        public void onComplete(int status) {
            // A connection that has had its last response is told of as closed behind this.
            if (connection.isOpen()) {
                giveBack(connection);
            }
            keep(new Answer(at - start, System.nanoTime() - at, status, null));
        }

        @Override
        public void onFailure(CallException failure) {
            keep(new Answer(at - start, System.nanoTime() - at, 0, failure.failure()));
        }
    }
}
