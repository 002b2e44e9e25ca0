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
 * Users of one server, who all hold connections and ask for the same thing, which may change while they stand.
 *
 * <p>Thread: the constructor, {@link #arrive}, {@link #ask}, {@link #count}, {@link #freeze}, {@link #pause},
 * {@link #pass}, {@link #depart} and {@link #close} any one but the loop, and they wait; all else the loop.
 *
 * <p>Owns: a loop, and the users.
 */
final class UserCrowd implements AutoCloseable {
    /** What a connection may take to be made before it counts as an error. */
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

    /** The users start one after the other, evenly within that time, and ask at once. Returns when the time is over. */
    void arrive(Duration within, Request wanted) throws IOException, InterruptedException {
        onLoop(() -> {
            request = wanted;
            comeIn(0, System.nanoTime(), within.toNanos() / users.size());
        });
        pass(within);
    }

    /** Lets all users in that should be there by now, and comes again for the next. */
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

    /** Has everybody ask for something else; answers to what was asked for before do not count any more. */
    void ask(Request wanted) throws IOException, InterruptedException {
        onLoop(() -> {
            request = wanted;
            users.forEach(User::askIfResting);
        });
    }

    /**
     * Counts answers from now on, whenever they were asked for, so that there are as many of them as the server has given in
     * that time.
     */
    AnswerTally count() throws IOException, InterruptedException {
        CompletableFuture<AnswerTally> begun = new CompletableFuture<>();
        onLoop(() -> {
            tally = new AnswerTally();
            begun.complete(tally);
        });
        return begun.join();
    }

    /** Ends the counting, with the ages of the requests that are under way; everybody goes on asking. */
    void freeze(AnswerTally counted) throws IOException, InterruptedException {
        onLoop(() -> {
            long now = System.nanoTime();
            users.forEach(user -> user.tellAge(counted, now));
            counted.freeze();
        });
    }

    /** Nobody asks for anything more; the connections are held. */
    void pause() throws IOException, InterruptedException {
        onLoop(() -> request = null);
    }

    /** Lets time pass. */
    void pass(Duration time) throws IOException, InterruptedException {
        CompletableFuture<Void> over = new CompletableFuture<>();
        loop.execute(() -> loop.at(System.nanoTime() + time.toNanos(), () -> over.complete(null)));
        await(over);
    }

    /** How the users come by their connections. Thread: any. */
    ConnectTally connects() {
        return connects;
    }

    /** Everybody leaves: connections are reset, so that none of them is left to wait for in either kernel. */
    void depart() throws IOException, InterruptedException {
        onLoop(() -> users.forEach(User::leave));
    }

    @Override
    public void close() {
        loop.close();
    }

    /** What is asked for; null if nothing is. */
    @Nullable
    Request request() {
        return request;
    }

    /** Where the answer to that request counts if it comes now; null if nowhere. */
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
