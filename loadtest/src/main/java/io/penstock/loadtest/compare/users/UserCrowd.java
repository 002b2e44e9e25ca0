package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.HttpConnection;
import io.penstock.loadtest.client.Request;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Users of one server, which all hold connections and request the same content. The content may change meanwhile.
 *
 * <p>Thread: the constructor, {@link #arrive}, {@link #ask}, {@link #count}, {@link #freeze}, {@link #pause}, {@link #pass},
 * {@link #depart} and {@link #close} any thread except the loop, and they wait; all other methods the loop.
 *
 * <p>Owns: a loop, and the users.
 */
final class UserCrowd implements AutoCloseable {
    /** The longest time to connect. Beyond it the attempt counts as an error. */
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private final ClientLoop loop;
    private final InetSocketAddress address;
    private final List<User> users;
    private final ConnectTally connects = new ConnectTally();
    private @Nullable Request request;
    private @Nullable AnswerTally tally;

    UserCrowd(InetSocketAddress address, int count) throws IOException {
        this.address = address;
        this.loop = ClientLoop.start(
                ClientSettings.defaults().withMaxConnections(count).withConnectTimeout(CONNECT_TIMEOUT));
        this.users = IntStream.range(0, count)
                .mapToObj(number -> new User(this, number))
                .toList();
    }

    /**
     * Starts the users one after the other, evenly within that time; each sends its request at once. Returns when the time is
     * over.
     */
    void arrive(Duration within, Request wanted) throws IOException, InterruptedException {
        onLoop(() -> {
            request = wanted;
            comeIn(0, System.nanoTime(), within.toNanos() / users.size());
        });
        pass(within);
    }

    /** Starts all users that are due by now, and schedules itself for the next. */
    private void comeIn(int arrived, long start, long step) {
        int next = arrived;
        long now = System.nanoTime();
        while (next < users.size() && start + next * step - now <= 0) {
            users.get(next).connect();
            next++;
        }
        if (next < users.size()) {
            int waiting = next;
            loop.at(start + waiting * step, () -> comeIn(waiting, start, step));
        }
    }

    /** Changes the content for all users. Answers to earlier requests do not count any more. */
    void ask(Request wanted) throws IOException, InterruptedException {
        onLoop(() -> {
            request = wanted;
            users.forEach(User::askIfResting);
        });
    }

    /**
     * Counts answers from now on, whenever their requests were sent. So the count is the number of answers that the server
     * gives in that time.
     */
    AnswerTally count() throws IOException, InterruptedException {
        CompletableFuture<AnswerTally> begun = new CompletableFuture<>();
        onLoop(() -> {
            tally = new AnswerTally();
            begun.complete(tally);
        });
        return begun.join();
    }

    /** Ends the counting, with the ages of the requests that are under way. The users continue. */
    void freeze(AnswerTally counted) throws IOException, InterruptedException {
        onLoop(() -> {
            long now = System.nanoTime();
            users.forEach(user -> user.tellAge(counted, now));
            counted.freeze();
        });
    }

    /** Stops all requests; the connections stay open. */
    void pause() throws IOException, InterruptedException {
        onLoop(() -> request = null);
    }

    /** Waits for that time. */
    void pass(Duration time) throws IOException, InterruptedException {
        CompletableFuture<Void> over = new CompletableFuture<>();
        loop.execute(() -> loop.at(System.nanoTime() + time.toNanos(), () -> over.complete(null)));
        await(over);
    }

    /** The attempts of the users to connect. Thread: any. */
    ConnectTally connects() {
        return connects;
    }

    /** Ends all users. Connections are reset, so that neither kernel has to wait for any of them. */
    void depart() throws IOException, InterruptedException {
        onLoop(() -> users.forEach(User::leave));
    }

    @Override
    public void close() {
        loop.close();
    }

    /** The present content; null if there is none. */
    @Nullable
    Request request() {
        return request;
    }

    /** The tally in which the answer to that request counts if it comes now; null if it does not count. */
    @Nullable
    AnswerTally tallyOf(@Nullable Request asked) {
        return asked == request ? tally : null;
    }

    HttpConnection open(User user) throws CallException {
        return HttpConnection.open(loop, address, user);
    }

    void soon(Runnable task) {
        loop.execute(task);
    }

    void after(long millis, Runnable task) {
        loop.after(millis, task);
    }

    private void onLoop(Runnable task) throws IOException, InterruptedException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            task.run();
            done.complete(null);
        });
        await(done);
    }

    private void await(CompletableFuture<Void> done) throws IOException, InterruptedException {
        try {
            // A loop that has failed completes nothing any more.
            CompletableFuture.anyOf(done, loop.ended()).get();
        } catch (ExecutionException failed) {
            throw new IOException("The load generator has failed: " + failed.getCause(), failed);
        }
    }
}
