package io.penstock.http1;

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
 * A question to all reactors of a server about their own connections, since nobody else may look at those.
 *
 * <p>Thread: one that is no reactor, which would wait for itself.
 *
 * @param <A> what one reactor answers
 */
final class Ask<A> {
    private final List<Reactor> reactors;
    private final Duration patience;
    private final List<String> silent = new ArrayList<>();

    /** @param patience that one which is stuck is waited for */
    Ask(List<Reactor> reactors, Duration patience) {
        this.reactors = reactors;
        this.patience = patience;
    }

    /**
     * Asks all at one time, and waits. The answers are in the order of the reactors; those that did not come are missing.
     *
     * @param start makes an answer, which is that one reactor's until it is given
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

    /** What did not answer in time, and why. */
    List<String> silent() {
        return silent;
    }

    /** What throws here is told to who asks; the connection that is looked at must not end by it. */
    private CompletableFuture<A> one(Reactor reactor, A own, BiConsumer<A, Conversation> look) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        reactor.visitInTurns(
                handler -> {
                    try {
                        if (handler instanceof Conversation connection) {
                            look.accept(own, connection);
                        }
                    } catch (RuntimeException | Error e) {
                        answer.completeExceptionally(e);
                    }
                },
                () -> answer.complete(own));
        return answer;
    }

    private void await(CompletableFuture<A> answer, String reactor, long deadline, List<A> answers) {
        try {
            answers.add(answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
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
