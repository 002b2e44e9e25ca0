package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Exchange;
import io.penstock.loadtest.client.HttpConnection;
import io.penstock.loadtest.client.OnLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Simulates users for a given time. Each user sends its request again when it has received the response (a closed loop). At the end, users
 * wait for the responses to their last requests, and these responses are counted.
 *
 * <p>Thread: the thread of the {@link ClientLoop}. Owns: a connection for each user.
 */
final class AskingUsers {
    /**
     * The result of a run: the number of responses to all users.
     *
     * @param good the number of responses with status 200
     * @param failed the number of requests with another response or without a response; after such a request, the user sends no more
     *     requests
     * @param nanos the time from the first request to the last response, in nanoseconds
     * @param firstTrouble the first failure; empty if there was none
     */
    record Got(long good, long failed, long nanos, String firstTrouble) {}

    private static final int OK = 200;
    private static final Duration LAST_RESPONSES = Duration.ofSeconds(30);

    private final ClientLoop loop;
    private final List<Request> requests;
    private final CompletableFuture<Got> outcome = new CompletableFuture<>();
    private final long start = System.nanoTime();
    private final long end;
    private final long deadline;
    private int asking;
    private long good;
    private long failed;
    private String firstTrouble = "";

    private AskingUsers(ClientLoop loop, List<Request> requests, Duration time, Duration deadline) {
        this.loop = loop;
        this.requests = requests;
        this.end = start + time.toNanos();
        this.deadline = end + deadline.toNanos();
    }

    /**
     * Starts the given number of users, which all send the same request. Thread: any except the thread of the loop.
     *
     * @param deadline the maximum time for the last responses, counted from the end of {@code time}
     */
    static CompletableFuture<Got> begin(ClientLoop loop, Target target, int users, Duration time, Duration deadline) {
        return begin(loop, Collections.nCopies(users, Request.get(target)), time, deadline);
    }

    /** Starts one user for each request. Each user repeats its own request. Thread: any except the thread of the loop. */
    static CompletableFuture<Got> begin(ClientLoop loop, List<Request> requests, Duration time, Duration deadline) {
        return OnLoop.begin(loop, () -> new AskingUsers(loop, List.copyOf(requests), time, deadline).ask());
    }

    /** Runs one user for each request, and waits until all users have ended. Thread: any thread that may block. */
    static Got ask(ServerProcess server, List<Request> requests, Duration time)
            throws IOException, InterruptedException {
        try (ClientLoop loop = ClientLoop.start(requests.size())) {
            return new Watch(server)
                    .until(
                            begin(loop, requests, time, LAST_RESPONSES),
                            time.plus(LAST_RESPONSES).plus(LAST_RESPONSES));
        }
    }

    private CompletableFuture<Got> ask() {
        asking = requests.size();
        requests.forEach(request -> new User(request).connect());
        return outcome;
    }

    private void fail(String trouble) {
        failed++;
        firstTrouble = firstTrouble.isEmpty() ? trouble : firstTrouble;
        leave();
    }

    private void leave() {
        asking--;
        if (asking == 0) {
            outcome.complete(new Got(good, failed, System.nanoTime() - start, firstTrouble));
        }
    }

    private final class User implements Exchange, HttpConnection.Listener {
        private final Request request;
        private @Nullable HttpConnection connection;

        User(Request request) {
            this.request = request;
        }

        void connect() {
            try {
                connection = HttpConnection.open(loop, request.target().address(), this);
                connection.send(request, deadline, this);
            } catch (CallException cannot) {
                fail(cannot.failure().label());
            }
        }

        @Override
        public void onComplete(int status) {
            if (status != OK) {
                fail("status " + status);
                return;
            }
            good++;
            HttpConnection last = connection;
            if (System.nanoTime() >= end) {
                leave();
            } else if (last != null && last.isOpen()) {
                last.send(request, deadline, this);
            } else {
                connect();
            }
        }

        @Override
        public void onFailure(CallException failure) {
            fail(failure.failure().label());
        }

        /**
         * The connection has ended. Nothing more must be done: if a call has failed, {@link #onFailure} was called before this method.
         * Otherwise the user has ended, or has made another connection.
         */
        @Override
        public void onClosed(HttpConnection closed, @Nullable CallException cause) {
            if (closed == connection) {
                connection = null;
            }
        }
    }
}
