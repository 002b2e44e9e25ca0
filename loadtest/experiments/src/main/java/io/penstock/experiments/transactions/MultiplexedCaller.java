package io.penstock.experiments.transactions;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.MultiplexedClient;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Response;
import io.penstock.loadtest.client.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Makes calls with one selector thread for all users. The thread of a user starts all its calls, and then waits for the results.
 *
 * <p>Thread: any. Owns: the {@link MultiplexedClient}.
 */
final class MultiplexedCaller implements Caller {
    private final MultiplexedClient client;
    private final Duration deadline;

    private MultiplexedCaller(MultiplexedClient client, Duration deadline) {
        this.client = client;
        this.deadline = deadline;
    }

    /** @param mostCalls the maximum number of calls at the same time; there is a connection for each, so no call waits for a connection */
    static MultiplexedCaller start(int mostCalls, Duration deadline) throws IOException {
        ClientSettings settings =
                ClientSettings.defaults().withMaxConnections(mostCalls).withConnectTimeout(deadline);
        return new MultiplexedCaller(MultiplexedClient.start(settings), deadline);
    }

    @Override
    public List<CallResult> callAll(List<Target> targets) throws InterruptedException {
        List<CompletableFuture<Response>> calls = new ArrayList<>();
        for (Target target : targets) {
            calls.add(client.fetchAsync(Request.get(target), deadline));
        }
        List<CallResult> results = new ArrayList<>();
        for (CompletableFuture<Response> call : calls) {
            results.add(resultOf(call));
        }
        return results;
    }

    @Override
    public void close() {
        client.close();
    }

    private static CallResult resultOf(CompletableFuture<Response> call) throws InterruptedException {
        try {
            // Each call has a deadline, so this wait needs no time limit.
            return CallResult.ofStatus(call.get().status());
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof CallException known) {
                return known.failure() == Failure.DEADLINE || known.failure() == Failure.CONNECT_TIMED_OUT
                        ? CallResult.PAST_DEADLINE
                        : CallResult.failed(known.failure().label() + ": " + known.getMessage());
            }
            throw new IllegalStateException("A call has failed unexpectedly", failed.getCause());
        }
    }
}
