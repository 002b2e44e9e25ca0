package io.penstock.experiments.transactions;

import io.penstock.loadtest.client.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls with blocking I/O, so each call occupies a thread. The user's thread makes the first call itself, and passes the other calls
 * to the call threads. After the first call, it also makes each call that no call thread has begun. So the user's thread does not wait
 * while there is a call that it can make. Without call threads, the user's thread makes all calls one after the other.
 *
 * <p>Thread: any. Owns: the call threads and the kept connections. There are as many kept connections as there were calls at the same time.
 */
final class BlockingCaller implements Caller {
    private enum State {
        OPEN,
        CLOSED
    }

    private final long deadlineNanos;
    private final @Nullable ThreadPoolExecutor callThreads;
    private final Deque<BlockingConnection> idle = new ConcurrentLinkedDeque<>();
    private final Set<BlockingConnection> all = ConcurrentHashMap.newKeySet();
    private volatile State state = State.OPEN;

    BlockingCaller(int callThreads, Duration deadline) {
        this.deadlineNanos = deadline.toNanos();
        this.callThreads = callThreads == 0 ? null : pool(callThreads);
    }

    private static ThreadPoolExecutor pool(int threads) {
        // The queue needs no limit, since the number of users limits its length. Each user has the calls of at most one
        // callAll() in the queue, and removes the calls that it has made itself.
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "call");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.prestartAllCoreThreads();
        return pool;
    }

    @Override
    public List<CallResult> callAll(List<Target> targets) throws InterruptedException {
        long deadline = System.nanoTime() + deadlineNanos;
        List<FutureTask<CallResult>> calls = new ArrayList<>();
        for (Target target : targets) {
            calls.add(new FutureTask<>(() -> call(target, deadline)));
        }
        for (FutureTask<CallResult> call : calls.subList(1, calls.size())) {
            offer(call);
        }
        List<CallResult> results = new ArrayList<>();
        for (FutureTask<CallResult> call : calls) {
            // If another thread has begun the call, run() has no effect.
            call.run();
            takeBack(call);
        }
        for (FutureTask<CallResult> call : calls) {
            results.add(resultOf(call));
        }
        return results;
    }

    /** Closes all sockets. This ends the calls that have no response yet. */
    @Override
    public void close() {
        state = State.CLOSED;
        if (callThreads != null) {
            callThreads.shutdownNow();
        }
        all.forEach(this::discard);
    }

    private void offer(FutureTask<CallResult> call) {
        if (callThreads == null) {
            return;
        }
        try {
            callThreads.execute(call);
        } catch (RejectedExecutionException closed) {
            // This caller is being closed. The user's thread makes the call itself, which fails on a closed connection.
            assert state == State.CLOSED : closed;
        }
    }

    private void takeBack(FutureTask<CallResult> call) {
        if (callThreads != null) {
            callThreads.remove(call);
        }
    }

    private static CallResult resultOf(FutureTask<CallResult> call) throws InterruptedException {
        try {
            // Each call has a deadline, so this wait needs no time limit.
            return call.get();
        } catch (ExecutionException unexpected) {
            throw new IllegalStateException("A call has failed unexpectedly", unexpected.getCause());
        }
    }

    private CallResult call(Target target, long deadline) {
        BlockingConnection connection = idle.poll();
        boolean kept = false;
        try {
            if (connection == null) {
                connection = connect(target, deadline);
            }
            CallResult result = CallResult.ofStatus(connection.get(target, deadline));
            kept = connection.isPersistent();
            return result;
        } catch (SocketTimeoutException late) {
            return CallResult.PAST_DEADLINE;
        } catch (IOException failed) {
            return CallResult.failed(failed.toString());
        } finally {
            if (connection != null) {
                release(connection, kept);
            }
        }
    }

    private BlockingConnection connect(Target target, long deadline) throws IOException {
        BlockingConnection connection = new BlockingConnection();
        all.add(connection);
        if (state == State.CLOSED) {
            // close() may have run before this connection was added, so the connection must be closed here.
            discard(connection);
        }
        try {
            connection.connect(target.address(), deadline);
        } catch (IOException failed) {
            discard(connection);
            throw failed;
        }
        return connection;
    }

    private void release(BlockingConnection connection, boolean kept) {
        if (kept) {
            idle.push(connection);
        } else {
            discard(connection);
        }
    }

    private void discard(BlockingConnection connection) {
        all.remove(connection);
        try {
            connection.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
