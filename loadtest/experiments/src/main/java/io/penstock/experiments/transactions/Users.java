package io.penstock.experiments.transactions;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Users that each run one transaction after another on a thread of their own.
 *
 * <p>Thread: {@code user-N} each; {@link #stop} the one that has started them. Owns: the threads, not their caller.
 */
final class Users {
    private enum State {
        RUNNING,
        STOPPED
    }

    private final Transaction transaction;
    private final Caller caller;
    private final Consumer<TransactionResult> whenEnded;
    private final AtomicLong nextNumber;
    private final CompletableFuture<Void> trouble = new CompletableFuture<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile State state = State.RUNNING;

    private Users(Transaction transaction, Caller caller, long firstNumber, Consumer<TransactionResult> whenEnded) {
        this.transaction = transaction;
        this.caller = caller;
        this.nextNumber = new AtomicLong(firstNumber);
        this.whenEnded = whenEnded;
    }

    /** @param whenEnded called with each transaction that has ended, by the user's thread */
    static Users start(
            int number,
            Transaction transaction,
            Caller caller,
            long firstNumber,
            Consumer<TransactionResult> whenEnded) {
        Users users = new Users(transaction, caller, firstNumber, whenEnded);
        for (int i = 0; i < number; i++) {
            Thread thread = new Thread(users::live, "user-" + i);
            thread.setDaemon(true);
            users.threads.add(thread);
        }
        users.threads.forEach(Thread::start);
        return users;
    }

    /** Completes, exceptionally, only if a user's thread has failed: the measurements are then useless. */
    CompletableFuture<Void> trouble() {
        return trouble;
    }

    /** No user begins another transaction. Transactions under way end when the caller is closed. */
    void stop() {
        state = State.STOPPED;
        threads.forEach(Thread::interrupt);
    }

    /** Waits for their threads, after {@link #stop} and the caller's end. */
    void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void live() {
        try {
            while (state == State.RUNNING) {
                TransactionResult result = transaction.run(caller, nextNumber.getAndIncrement());
                if (state == State.RUNNING) {
                    whenEnded.accept(result);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error unexpected) {
            trouble.completeExceptionally(unexpected);
        }
    }
}
