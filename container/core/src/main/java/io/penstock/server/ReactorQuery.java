package io.penstock.server;

import io.penstock.exchange.Conversation;
import io.penstock.reactor.Reactor;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Asks all reactors of a server about their connections. Only the reactor of a connection can read the connection's state.
 *
 * <p>Thread: any, except for reactors. A reactor would wait for itself.
 *
 * @param <A> the type of a reactor's answer
 */
final class ReactorQuery<A> {
    private final List<Reactor> reactors;
    private final Duration patience;
    private final List<String> missing = new ArrayList<>();

    /** @param patience the longest time to wait for the reactors */
    ReactorQuery(List<Reactor> reactors, Duration patience) {
        this.reactors = reactors;
        this.patience = patience;
    }

    /**
     * Asks all reactors at the same time, and waits for their answers. Returns the answers in the order of the reactors. A reactor that did
     * not answer in time has no answer in the list.
     *
     * @param start makes an empty answer for one reactor. Until the answer is complete, only this reactor uses the answer
     * @param look adds one connection to the answer; called by the reactor
     */
    List<A> all(Supplier<A> start, BiConsumer<A, Conversation> look) {
        List<CompletableFuture<A>> asked = new ArrayList<>();
        reactors.forEach(reactor -> asked.add(one(reactor, start.get(), look)));
        long deadline = System.nanoTime() + Saturated.nanos(patience);
        List<A> answers = new ArrayList<>();
        for (int i = 0; i < reactors.size(); i++) {
            await(asked.get(i), reactors.get(i).name(), deadline, answers);
        }
        return answers;
    }

    /** The reactors without an answer, each with the reason. */
    List<String> missing() {
        return missing;
    }

    /** Asks one reactor. If {@code look} fails, the answer fails, and the connection stays open. */
    private CompletableFuture<A> one(Reactor reactor, A own, BiConsumer<A, Conversation> look) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        reactor.visitInGroups(
                Reactors.of(conversation -> {
                    try {
                        look.accept(own, conversation);
                    } catch (RuntimeException | Error e) {
                        answer.completeExceptionally(e);
                    }
                }),
                () -> answer.complete(own));
        return answer;
    }

    private void await(CompletableFuture<A> answer, String reactor, long deadline, List<A> answers) {
        try {
            answers.add(answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            missing.add(reactor + " did not answer in time");
        } catch (ExecutionException e) {
            missing.add(reactor + " failed: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            missing.add(reactor + " was not waited for");
        }
    }
}
