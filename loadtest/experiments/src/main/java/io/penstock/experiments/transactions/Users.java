package io.penstock.experiments.transactions;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The users of a client. Each user has its own thread, which runs one transaction after the other.
 *
 * <p>Thread: the threads {@code user-N} run the transactions; the thread that has started the users calls {@link #stop}. Owns: the threads
 * of the users, but not the {@link Caller}.
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

    /** @param whenEnded a function that is called with the result of each transaction, on the thread of the user */
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

    /**
     * A future that fails if a user's thread has failed. In this case the measurements cannot be used. The future does not complete in any
     * other case.
     */
    CompletableFuture<Void> trouble() {
        return trouble;
    }

    /** Stops the users: no user begins another transaction. The running transactions end when the {@link Caller} is closed. */
    void stop() {
        state = State.STOPPED;
        threads.forEach(Thread::interrupt);
    }

    /** Waits for the end of the users' threads. Call this after {@link #stop}, and after the {@link Caller} is closed. */
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
