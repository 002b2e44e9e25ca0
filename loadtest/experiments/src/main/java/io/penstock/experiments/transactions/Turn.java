package io.penstock.experiments.transactions;

import io.penstock.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Measures one kind of client for one minute. The other kind does not run at the same time. The users start, and run for a warm-up time
 * (the lead-in); after that, the measured minute begins. Transactions that are not complete at the end of the minute are not counted.
 *
 * <p>Thread: the thread that waits for the end of the minute.
 */
final class Turn {
    /**
     * The difference between the numbers of the first transactions of two successive minutes. In the same minute, both kinds of client use
     * the same numbers.
     */
    private static final long NUMBERS_OF_A_MINUTE = 1_000_000;

    private final TransactionsPlan plan;
    private final DelayServerProcess server;
    private final Consumer<Minute> onMinute;

    Turn(TransactionsPlan plan, DelayServerProcess server, Consumer<Minute> onMinute) {
        this.plan = plan;
        this.server = server;
        this.onMinute = onMinute;
    }

    /**
     * Runs the users, and measures the minute. If the thread is interrupted, the minute ends early, and its counts so far are reported.
     *
     * @throws IOException if the delay server or a user's thread has failed
     */
    void run(Kind kind, int number) throws IOException, InterruptedException {
        MinuteTally tally = new MinuteTally(kind, number, Clock.SYSTEM);
        Caller caller = open(kind);
        Transaction transaction = new Transaction(plan.shape(), server::call, Clock.SYSTEM);
        Users users =
                Users.start(plan.budget(kind).users(), transaction, caller, number * NUMBERS_OF_A_MINUTE, tally::add);
        Minute.Ending ending = Minute.Ending.CUT;
        try {
            CompletableFuture<Object> trouble = CompletableFuture.anyOf(users.trouble(), server.ended());
            await(trouble, plan.leadIn());
            tally.begin(Usage.now(server.cpu()));
            await(trouble, plan.minute());
            ending = Minute.Ending.WHOLE;
        } finally {
            if (tally.hasBegun()) {
                onMinute.accept(tally.end(ending, Usage.now(server.cpu())));
            }
            users.stop();
            caller.close();
        }
        users.join();
    }

    private Caller open(Kind kind) throws IOException {
        return switch (kind) {
            case BLOCKING -> new BlockingCaller(plan.blocking().callThreads(), plan.deadline());
            case MULTIPLEXED ->
                MultiplexedCaller.start(
                        plan.multiplexed().users() * Math.max(1, plan.shape().suppliers()), plan.deadline());
        };
    }

    private static void await(CompletableFuture<Object> trouble, Duration time)
            throws IOException, InterruptedException {
        try {
            trouble.get(time.toNanos(), TimeUnit.NANOSECONDS);
            throw new IOException("The delay server ended before the comparison; see its output above");
        } catch (TimeoutException over) {
            assert !trouble.isDone() || time.isZero() : over;
        } catch (ExecutionException failed) {
            throw new IOException("A user's thread has failed: " + failed.getCause(), failed);
        }
    }
}
