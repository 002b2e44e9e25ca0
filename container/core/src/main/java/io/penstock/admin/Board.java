package io.penstock.admin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig.Node;
import io.penstock.memory.Rounds;
import io.penstock.metrics.Gauge;
import io.penstock.time.Saturated;
import io.penstock.work.Scheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flow board, a live page for operators. Twice a second, the board takes a {@link Sample} of the server's state and sends the sample to
 * all followers. A {@link Follower} is an open page. Without followers, the board does nothing.
 *
 * <p>Thread: any; the board takes samples on its own thread. Owns: this thread.
 *
 * <pre>
 *   QUIET --the first follower comes--> LOOKING --the last has left--> QUIET
 *     any --close--> CLOSED
 * </pre>
 */
final class Board implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Board.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    /** The number of connections that fit on the page. */
    private static final int BUSIEST = 12;

    /** The number of WebSocket sessions that fit on the page. */
    private static final int SLOW_WEB_SOCKETS = 6;

    /** After this time in one job, a worker is shown with its current method of the application. */
    private static final long LONG = Saturated.nanos(Duration.ofMillis(20));

    /** The shorter time that replaces {@link #LONG} while requests wait for a worker. */
    private static final long LONG_FOR_OTHERS = Saturated.nanos(Duration.ofMillis(1));

    private final Watched watched;
    private final int most;
    private final String node;
    private final Map<Key, Long> bounds = new EnumMap<>(Key.class);
    private final Scheduler scheduler;
    private final Pace.Watch pace = new Pace.Watch();
    private final Window<Losses> losses = new Window<>(Duration.ofSeconds(2));
    private final Incidents incidents;

    @GuardedBy("this")
    private final Set<Follower> followers = new LinkedHashSet<>();

    @GuardedBy("this")
    private State state = State.QUIET;

    @GuardedBy("this")
    private @Nullable Future<?> looks;

    private enum State {
        QUIET,
        LOOKING,
        CLOSED
    }

    /** @param most the most followers at one time */
    Board(Watched watched, int most) {
        this.watched = watched;
        this.most = most;
        this.scheduler = new Scheduler("admin-board-", new Rounds(watched.memory()));
        Configuration configuration = watched.configuration();
        this.node = Node.of(configuration).name();
        bounds.put(Key.PIPE_CAPACITY, configuration.bytes(Key.PIPE_CAPACITY));
        for (Key key : List.of(Key.MAX_CONNECTIONS, Key.QUEUE, Key.MAX_STREAMING, Key.MAX_SPOOLING)) {
            bounds.put(key, (long) configuration.number(key));
        }
        this.incidents = new Incidents(new Words(configuration));
    }

    /** Adds a follower. The follower gets all samples until {@link #leave}. Returns false if there are too many followers. */
    synchronized boolean follow(Follower follower) {
        if (state == State.CLOSED || followers.size() >= most) {
            watched.counters().increment(Counter.ADMIN_LISTENERS_REFUSED);
            return false;
        }
        followers.add(follower);
        if (state == State.QUIET) {
            state = State.LOOKING;
            scheduler.after(Duration.ZERO, this::begin);
            looks = scheduler.every(BETWEEN_LOOKS, this::look);
        }
        return true;
    }

    synchronized void leave(Follower follower) {
        if (followers.remove(follower) && followers.isEmpty() && looks != null) {
            looks.cancel(false);
            looks = null;
            state = state == State.LOOKING ? State.QUIET : state;
        }
    }

    /** The number of followers. */
    synchronized int followers() {
        return followers.size();
    }

    /** Ends the streams of all followers, because the admin site ends. */
    @Override
    public void close() {
        List<Follower> left;
        synchronized (this) {
            state = State.CLOSED;
            left = List.copyOf(followers);
        }
        scheduler.stop();
        left.forEach(Follower::end);
    }

    /** Starts the samples again after a time without followers. Thread: the thread of the board. */
    private void begin() {
        pace.restart();
        incidents.restart();
        losses.clear();
        look();
    }

    /** Thread: the thread of the board. */
    private void look() {
        byte[] frame = Frame.of(sample()).getBytes(StandardCharsets.UTF_8);
        List<Follower> told;
        synchronized (this) {
            told = List.copyOf(followers);
        }
        for (Follower follower : told) {
            if (!follower.send(frame)) {
                LOG.debug("A page that shows the flow board does not keep up; the server skips an update");
            }
        }
    }

    private Sample sample() {
        long nanos = System.nanoTime();
        Instant now = Instant.now();
        // This call must be the first, because it updates the gauges.
        Watched.Connections busiest = watched.busiest(BUSIEST);
        Map<Gauge, Long> levels = new EnumMap<>(Gauge.class);
        for (Gauge gauge : Gauge.values()) {
            levels.put(gauge, watched.gauges().value(gauge));
        }
        List<Watched.Application> applications = watched.applications();
        incidents.look(watched.metrics(), applications, watched.counters(), now);
        Losses lost = incidents.losses();
        Window.Reading<Losses> then = losses.add(lost, nanos);
        double seconds = then.secondsUntil(nanos);
        return new Sample(
                new Sample.Identity(node, watched.version(), watched.addresses(), watched.secureAddresses()),
                now,
                Duration.between(watched.started(), now),
                watched.health(),
                bounds,
                levels,
                pace.look(watched.metrics(), watched.counters(), nanos),
                (lost.refused() - then.value().refused()) / seconds,
                lost.failedSince(then.value(), seconds),
                incidents.recent(),
                busiest,
                watched.workers(Objects.requireNonNull(levels.get(Gauge.QUEUED)) > 0 ? LONG_FOR_OTHERS : LONG),
                watched.mappings(),
                watched.bulkheads(),
                watched.slowWebSockets(SLOW_WEB_SOCKETS),
                Sample.Resets.of(watched.counters()),
                applications,
                watched.certificates(),
                watched.failures(),
                incidents.latest());
    }
}
