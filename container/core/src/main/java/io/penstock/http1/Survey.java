package io.penstock.http1;

import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.Reactor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How all connections of a server stand at about one moment.
 *
 * @param connections reactor by reactor
 * @param silent what did not answer in time: its connections are missing
 */
record Survey(List<Standing> connections, List<String> silent) {

    /**
     * Asks each reactor for its own connections, all at one time.
     *
     * <p>Thread: any but a reactor.
     *
     * @param patience that one which is stuck is waited for
     */
    static Survey take(List<Reactor> reactors, Duration patience) {
        List<CompletableFuture<List<Standing>>> asked = new ArrayList<>();
        reactors.forEach(reactor -> asked.add(ask(reactor)));
        long deadline = System.nanoTime() + patience.toNanos();
        Survey survey = new Survey(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < reactors.size(); i++) {
            survey.add(asked.get(i), reactors.get(i).name(), deadline);
        }
        return survey;
    }

    /** Connections in each state; the same for a state that none is in. */
    Map<Standing.State, Long> counts() {
        Map<Standing.State, Long> counts = new EnumMap<>(Standing.State.class);
        for (Standing.State state : Standing.State.values()) {
            counts.put(state, 0L);
        }
        connections.forEach(standing -> counts.merge(standing.state(), 1L, Long::sum));
        return counts;
    }

    /** What throws here is told to who asks; the connection that is looked at must not end by it. */
    private static CompletableFuture<List<Standing>> ask(Reactor reactor) {
        CompletableFuture<List<Standing>> answer = new CompletableFuture<>();
        List<Standing> own = new ArrayList<>();
        reactor.forEachHandler(handler -> {
            try {
                add(handler, own);
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        reactor.execute(() -> answer.complete(own)); // after the visits: commands are run in order
        return answer;
    }

    private static void add(LinkHandler handler, List<Standing> own) {
        if (handler instanceof Http1Connection connection) {
            own.add(connection.standing());
        }
    }

    private void add(CompletableFuture<List<Standing>> answer, String reactor, long deadline) {
        try {
            connections.addAll(answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            silent.add(reactor + " did not answer in time");
        } catch (ExecutionException e) {
            silent.add(reactor + " failed: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            silent.add(reactor + " was not waited for");
        }
    }
}
