package io.penstock.experiments.transactions;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.HttpConnection;
import io.penstock.loadtest.client.HttpConnection.Exchange;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.time.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls with one selector thread for all users. The thread of a user starts all its calls, and then waits for the results. Each call
 * has a connection for itself, which is kept for a later call to the same server.
 *
 * <p>Thread: any. Owns: its {@link ClientLoop}, the kept connections, and the calls that are not complete.
 */
final class MultiplexedCaller implements Caller {
    private final ClientLoop loop;
    private final Duration deadline;
    private final Set<Call> running = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> ended;
    /** The kept connections, of which some may have ended. Thread: the thread of the loop. */
    private final Map<InetSocketAddress, Deque<HttpConnection>> free = new HashMap<>();

    private MultiplexedCaller(ClientLoop loop, Duration deadline) {
        this.loop = loop;
        this.deadline = deadline;
        this.ended = loop.ended().whenComplete((done, failure) -> endAll());
    }

    /** @param mostCalls the maximum number of calls at the same time; there is a connection for each, so no call waits for a connection */
    static MultiplexedCaller start(int mostCalls, Duration deadline) throws IOException {
        ClientSettings settings =
                ClientSettings.defaults().withMaxConnections(mostCalls).withConnectTimeout(deadline);
        return new MultiplexedCaller(ClientLoop.start(settings), deadline);
    }

    @Override
    public List<CallResult> callAll(List<Target> targets) throws InterruptedException {
        List<Call> calls = new ArrayList<>();
        for (Target target : targets) {
            Call call = new Call(Request.get(target), Clock.SYSTEM.nanos() + deadline.toNanos());
            calls.add(call);
            running.add(call);
            loop.execute(call::start);
        }
        if (ended.isDone()) {
            // The loop may have ended before it took the calls. In this case only the present thread can fail them.
            endAll();
        }
        List<CallResult> results = new ArrayList<>();
        for (Call call : calls) {
            results.add(call.result());
        }
        return results;
    }

    @Override
    public void close() {
        loop.close();
    }

    private void endAll() {
        running.forEach(call -> call.onFailure(new CallException(Failure.ABANDONED, "The client is closed")));
    }

    private @Nullable HttpConnection takeFree(InetSocketAddress server) {
        Deque<HttpConnection> kept = free.getOrDefault(server, new ArrayDeque<>());
        HttpConnection connection = kept.poll();
        while (connection != null && !connection.isOpen()) {
            connection = kept.poll();
        }
        return connection;
    }

    /** One call. Thread: the thread of the loop; for {@code outcome}, any thread. */
    private final class Call implements Exchange {
        private final Request request;
        private final long until;
        private final CompletableFuture<CallResult> outcome = new CompletableFuture<>();
        private @Nullable HttpConnection connection;

        Call(Request request, long until) {
            this.request = request;
            this.until = until;
        }

        void start() {
            InetSocketAddress server = request.target().address();
            try {
                HttpConnection kept = takeFree(server);
                connection = kept == null ? HttpConnection.open(loop, server, (closed, cause) -> {}) : kept;
                connection.send(request, until, this);
            } catch (CallException cannot) {
                onFailure(cannot);
            }
        }

        @Override
        public void onComplete(int status) {
            if (connection != null && connection.isOpen()) {
                free.computeIfAbsent(request.target().address(), server -> new ArrayDeque<>())
                        .add(connection);
            }
            end(CallResult.ofStatus(status));
        }

        @Override
        public void onFailure(CallException failure) {
            boolean late = failure.failure() == Failure.DEADLINE || failure.failure() == Failure.CONNECT_TIMED_OUT;
            end(
                    late
                            ? CallResult.PAST_DEADLINE
                            : CallResult.failed(failure.failure().label() + ": " + failure.getMessage()));
        }

        private void end(CallResult result) {
            running.remove(this);
            outcome.complete(result);
        }

        CallResult result() throws InterruptedException {
            try {
                // Each call has a deadline, so this wait needs no time limit.
                return outcome.get();
            } catch (ExecutionException failed) {
                throw new IllegalStateException("A call has failed unexpectedly", failed.getCause());
            }
        }
    }
}
