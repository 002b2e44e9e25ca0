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
 * Asks all reactors of a server about their own connections, which no other thread may look at.
 *
 * <p>Thread: any but a reactor, which would wait for itself.
 *
 * @param <A> what one reactor answers
 */
final class ReactorQuery<A> {
    private final List<Reactor> reactors;
    private final Duration patience;
    private final List<String> missing = new ArrayList<>();

    /** @param patience with a reactor that does not answer */
    ReactorQuery(List<Reactor> reactors, Duration patience) {
        this.reactors = reactors;
        this.patience = patience;
    }

    /**
     * Asks all at one time, and waits. The answers are in the order of the reactors; those that did not come are missing.
     *
     * @param start makes an answer, which belongs to its reactor until it is given
     * @param look adds one connection to it; on the reactor
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

    /** The reactors that did not answer in time, and why. */
    List<String> missing() {
        return missing;
    }

    /** A failure here fails the answer; it must not end the connection that is looked at. */
    private CompletableFuture<A> one(Reactor reactor, A own, BiConsumer<A, Conversation> look) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        reactor.visitInTurns(
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
