package io.penstock.loadtest.capacity;

import io.penstock.loadtest.capacity.Traffic.Quantity;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the visits of users to a site, event by event. A visit is a sequence of requests of one user, with pauses. Visits begin at
 * random, and idle connections and unused sessions time out. The same seed gives the same result. If a site has more requests than the
 * maximum of simulated requests, only a part of its users is simulated. The results are then scaled up to the number of all users; see
 * {@link Traffic#scale}.
 *
 * <p>The simulation begins without users. The measured time starts after six times the mean length of a visit, plus a session time-out and
 * a keep-alive time-out.
 *
 * <p>Thread: one thread. Owns: the visits whose session has not expired.
 */
final class Simulation {
    private static final double VISITS_BEFORE = 6;

    /**
     * Each request uses the session, and the store keeps the time of the last use. A request that does not change the session writes this
     * time only if the stored time is too old. It is too old after this share of the session time-out, or after {@link #TOUCH_SECONDS} if
     * that is shorter.
     */
    private static final double TOUCH = 0.1;

    private static final double TOUCH_SECONDS = 60;

    private enum Kind {
        ARRIVAL,
        REQUEST,
        /** Checks whether the connections of a visit were idle for the keep-alive time-out, and closes them in this case. */
        IDLE,
        /** Checks whether the session of a visit was unused for the session time-out. The session expires in this case. */
        EXPIRY,
        SECOND
    }

    private record Event(double at, Kind kind, @Nullable Visit visit) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return Double.compare(at, other.at);
        }
    }

    private static final class Visit {
        private final double begun;
        private long requestsLeft;
        private double latest;
        private boolean connected;
        private double stored;
        private double accessedInStore;

        Visit(double begun, long requests) {
            this.begun = begun;
            this.requestsLeft = requests;
        }

        boolean hasSession() {
            return stored > 0;
        }
    }

    private final Site site;
    private final double scale;
    private final SplittableRandom random;
    private final double start;
    private final double end;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<Quantity, Traffic.Series> series = new EnumMap<>(Quantity.class);
    private long visitsEnded;
    private double visitSeconds;

    private Simulation(Site site, double scale, double seconds, long seed) {
        this.site = site;
        this.scale = scale;
        this.random = new SplittableRandom(seed);
        this.start = Math.ceil(VISITS_BEFORE * site.visit() + site.sessionTimeout() + site.keepAlive());
        this.end = start + seconds;
        for (Quantity quantity : Quantity.values()) {
            series.put(quantity, new Traffic.Series());
        }
    }

    /**
     * Simulates a site for a number of seconds.
     *
     * @param mostRequests the approximate maximum of simulated requests
     */
    static Traffic of(Site site, double seconds, double mostRequests, long seed) {
        Simulation whole = new Simulation(site, 1, seconds, seed);
        double scale = Math.max(1, site.arrivals() * site.requests() * whole.end / mostRequests);
        return new Simulation(site.withArrivals(site.arrivals() / scale), scale, seconds, seed).run();
    }

    private Traffic run() {
        events.add(new Event(untilArrival(), Kind.ARRIVAL, null));
        events.add(new Event(1, Kind.SECOND, null));
        for (Event event = events.remove(); event.at <= end; event = events.remove()) {
            switch (event.kind) {
                case ARRIVAL -> arrive(event.at);
                case REQUEST -> request(visit(event), event.at);
                case IDLE -> idle(visit(event), event.at);
                case EXPIRY -> expire(visit(event), event.at);
                case SECOND -> second(event.at);
            }
        }
        return new Traffic(series, scale, visitsEnded == 0 ? 0 : visitSeconds / visitsEnded);
    }

    private static Visit visit(Event event) {
        return Objects.requireNonNull(event.visit);
    }

    private double untilArrival() {
        return random.nextExponential() / site.arrivals();
    }

    private void arrive(double at) {
        events.add(new Event(at + untilArrival(), Kind.ARRIVAL, null));
        add(Quantity.VISITS, 1);
        add(Quantity.USERS, 1);
        request(new Visit(at, requestsOfVisit()), at);
    }

    /** Draws the number of requests of a visit. After each request, the probability that the visit ends is the same. */
    private long requestsOfVisit() {
        if (site.requests() == 1) {
            return 1;
        }
        return 1 + (long) (-random.nextExponential() / Math.log1p(-1 / site.requests()));
    }

    private void request(Visit visit, double at) {
        visit.latest = at;
        visit.requestsLeft--;
        add(Quantity.REQUESTS, 1);
        if (!visit.connected) {
            visit.connected = true;
            add(Quantity.CONNECTIONS, site.connections());
            events.add(new Event(at + site.keepAlive(), Kind.IDLE, visit));
        }
        if (visit.hasSession()) {
            useSession(visit, at);
        } else {
            createSession(visit, at);
        }
        if (visit.requestsLeft > 0) {
            double think = site.spread().draw(site.think(), random);
            events.add(new Event(at + think, Kind.REQUEST, visit));
        } else {
            leave(visit, at);
        }
    }

    private void leave(Visit visit, double at) {
        add(Quantity.USERS, -1);
        if (at > start) {
            visitsEnded++;
            visitSeconds += at - visit.begun;
        }
    }

    private void createSession(Visit visit, double at) {
        double attributes = Site.Distribution.LOGNORMAL.draw(site.sessionBytes(), random);
        visit.stored = attributes + site.sessionOverhead();
        visit.accessedInStore = at;
        add(Quantity.SESSIONS, 1);
        add(Quantity.STORED, visit.stored);
        call(attributes);
        events.add(new Event(at + site.sessionTimeout(), Kind.EXPIRY, visit));
    }

    private void useSession(Visit visit, double at) {
        call(site.sticky() ? 0 : visit.stored - site.sessionOverhead());
        if (random.nextDouble() < site.writes()) {
            visit.accessedInStore = at;
            call(site.writeBytes());
        } else if (at - visit.accessedInStore >= Math.min(TOUCH_SECONDS, TOUCH * site.sessionTimeout())) {
            visit.accessedInStore = at;
            call(0);
        }
    }

    private void call(double attributes) {
        add(Quantity.OPERATIONS, 1);
        add(Quantity.TRAFFIC, site.callBytes() + attributes);
    }

    private void idle(Visit visit, double at) {
        double due = visit.latest + site.keepAlive();
        if (due > at) {
            events.add(new Event(due, Kind.IDLE, visit));
        } else {
            visit.connected = false;
            add(Quantity.CONNECTIONS, -site.connections());
        }
    }

    private void expire(Visit visit, double at) {
        double due = visit.latest + site.sessionTimeout();
        if (due > at) {
            events.add(new Event(due, Kind.EXPIRY, visit));
            return;
        }
        add(Quantity.SESSIONS, -1);
        add(Quantity.STORED, -visit.stored);
        double attributes = visit.stored - site.sessionOverhead();
        visit.stored = 0;
        // The node reads the attributes, since listeners get them when the session ends.
        call(attributes);
        // The node deletes the session from the store.
        call(0);
    }

    private void second(double at) {
        events.add(new Event(at + 1, Kind.SECOND, null));
        series.forEach((quantity, values) -> {
            if (at > start) {
                values.keep();
            }
            if (quantity.isRate()) {
                values.reset();
            }
        });
    }

    private void add(Quantity quantity, double value) {
        Objects.requireNonNull(series.get(quantity)).change(value);
    }
}
