package io.penstock.experiments.capacity;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the visits of users to a site, event by event. A visit is a sequence of requests of one user, with pauses. Visits begin at
 * random, and idle connections and unused sessions time out. The same seed gives the same result. If a site has more requests than the
 * maximum of simulated requests, only a part of its users is simulated. The results are then scaled up to the number of all users; see
 * {@link #scale}.
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
        /** The bytes of the session in the store; 0 without a session. */
        private double stored;

        private double accessedInStore;

        Visit(double begun, long requests) {
            this.begun = begun;
            this.requestsLeft = requests;
        }
    }

    private final Site site;
    private final double think;
    private final double keepAlive;
    private final double sessionTimeout;
    private final double arrivals;
    private final double scale;
    private final SplittableRandom random;
    private final double start;
    private final double end;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<Quantity, Series> series = new EnumMap<>(Quantity.class);
    private long visitsEnded;
    private double visitSeconds;

    private Simulation(Site site, double arrivals, double seconds, double mostRequests, long seed) {
        this.site = site;
        this.think = Site.seconds(site.think);
        this.keepAlive = Site.seconds(site.keepAlive);
        this.sessionTimeout = Site.seconds(site.sessionTimeout);
        this.random = new SplittableRandom(seed);
        this.start = Math.ceil(VISITS_BEFORE * site.visit() + sessionTimeout + keepAlive);
        this.end = start + seconds;
        this.scale = Math.max(1, arrivals * site.requests * end / mostRequests);
        this.arrivals = arrivals / scale;
        for (Quantity quantity : Quantity.values()) {
            series.put(quantity, new Series());
        }
    }

    /**
     * Simulates a site for a number of seconds.
     *
     * @param arrivals the mean number of visits that begin per second; they begin at random times
     * @param mostRequests the approximate maximum of simulated requests
     */
    static Simulation of(Site site, double arrivals, double seconds, double mostRequests, long seed) {
        return new Simulation(site, arrivals, seconds, mostRequests, seed).run();
    }

    private Simulation run() {
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
        return this;
    }

    private static Visit visit(Event event) {
        return Objects.requireNonNull(event.visit);
    }

    private double untilArrival() {
        return random.nextExponential() / arrivals;
    }

    private void arrive(double at) {
        events.add(new Event(at + untilArrival(), Kind.ARRIVAL, null));
        add(Quantity.VISITS, 1);
        add(Quantity.USERS, 1);
        request(new Visit(at, requestsOfVisit()), at);
    }

    /** Draws the number of requests of a visit. After each request, the probability that the visit ends is the same. */
    private long requestsOfVisit() {
        if (site.requests == 1) {
            return 1;
        }
        return 1 + (long) (-random.nextExponential() / Math.log1p(-1 / site.requests));
    }

    private void request(Visit visit, double at) {
        visit.latest = at;
        visit.requestsLeft--;
        add(Quantity.REQUESTS, 1);
        if (!visit.connected) {
            visit.connected = true;
            add(Quantity.CONNECTIONS, site.connections);
            events.add(new Event(at + keepAlive, Kind.IDLE, visit));
        }
        if (visit.stored > 0) {
            useSession(visit, at);
        } else {
            createSession(visit, at);
        }
        if (visit.requestsLeft > 0) {
            double pause = site.spread.draw(think, random);
            events.add(new Event(at + pause, Kind.REQUEST, visit));
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
        double attributes = Site.Distribution.LOGNORMAL.draw(site.sessionSize, random);
        visit.stored = attributes + site.sessionOverhead;
        visit.accessedInStore = at;
        add(Quantity.SESSIONS, 1);
        add(Quantity.STORED, visit.stored);
        call(attributes);
        events.add(new Event(at + sessionTimeout, Kind.EXPIRY, visit));
    }

    private void useSession(Visit visit, double at) {
        call(site.anyNode ? visit.stored - site.sessionOverhead : 0);
        if (random.nextDouble() < site.writes) {
            visit.accessedInStore = at;
            call(site.writeSize);
        } else if (at - visit.accessedInStore >= Math.min(TOUCH_SECONDS, TOUCH * sessionTimeout)) {
            visit.accessedInStore = at;
            call(0);
        }
    }

    private void call(double attributes) {
        add(Quantity.OPERATIONS, 1);
        add(Quantity.TRAFFIC, site.callBytes + attributes);
    }

    private void idle(Visit visit, double at) {
        double due = visit.latest + keepAlive;
        if (due > at) {
            events.add(new Event(due, Kind.IDLE, visit));
        } else {
            visit.connected = false;
            add(Quantity.CONNECTIONS, -site.connections);
        }
    }

    private void expire(Visit visit, double at) {
        double due = visit.latest + sessionTimeout;
        if (due > at) {
            events.add(new Event(due, Kind.EXPIRY, visit));
            return;
        }
        add(Quantity.SESSIONS, -1);
        add(Quantity.STORED, -visit.stored);
        double attributes = visit.stored - site.sessionOverhead;
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
                values.values.add(values.now);
            }
            if (quantity.rate) {
                values.now = 0;
            }
        });
    }

    private void add(Quantity quantity, double value) {
        of(quantity).now += value;
    }

    private Series of(Quantity quantity) {
        return Objects.requireNonNull(series.get(quantity));
    }

    /** The number of users of the site, divided by the number of simulated users. */
    double scale() {
        return scale;
    }

    /** The mean length of the visits that ended in the measured time, in seconds. */
    double visitSeconds() {
        return visitsEnded == 0 ? 0 : visitSeconds / visitsEnded;
    }

    /** The mean of a quantity for all users of the site. */
    double mean(Quantity quantity) {
        return scale * of(quantity).mean();
    }

    /**
     * The 99th percentile of a quantity for all users of the site. In 99 of 100 seconds, the quantity is not larger than this value. Users
     * are independent. For this reason, the difference between this value and the mean grows with the square root of the number of users.
     */
    double p99(Quantity quantity) {
        Series sample = of(quantity);
        return scale * sample.mean() + Math.sqrt(scale) * (sample.p99() - sample.mean());
    }

    /** A quantity that is counted from zero in each second of a simulation, or sampled at the end of each second. */
    enum Quantity {
        /** Users on the site, from their first to their last request. */
        USERS(false),
        /** Open connections of users. An idle connection counts until its keep-alive time-out. */
        CONNECTIONS(false),
        /** Sessions that have not expired. */
        SESSIONS(false),
        /** Bytes of all sessions in the store. */
        STORED(false),
        /** Visits that begin in this second. */
        VISITS(true),
        /** Requests in this second. */
        REQUESTS(true),
        /** Round trips to the store in this second. */
        OPERATIONS(true),
        /** Bytes that nodes and store exchange in this second. */
        TRAFFIC(true);

        private final boolean rate;

        Quantity(boolean rate) {
            this.rate = rate;
        }
    }

    /** The values of one {@link Quantity}, with one value for each second. A rate begins each second with zero. */
    private static final class Series {
        private final List<Double> values = new ArrayList<>();
        private double now;

        double mean() {
            return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        }

        double p99() {
            List<Double> sorted = values.stream().sorted().toList();
            return sorted.get(Math.max(0, (int) Math.ceil(0.99 * sorted.size()) - 1));
        }
    }

    /**
     * The number of nodes, or of stores, that the traffic needs.
     *
     * @param byLimit a map from the name of each limit, such as connections, to the number that this limit requires; at least 1
     */
    record Needs(Map<String, Long> byLimit) {
        /** @param shares how much of one node or store the traffic uses, for each limit, in the order of the report */
        static Needs of(Map<String, Double> shares) {
            Map<String, Long> whole = new LinkedHashMap<>();
            shares.forEach((limit, share) -> whole.put(limit, Math.max(1, (long) Math.ceil(share))));
            return new Needs(whole);
        }

        long most() {
            return byLimit.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        }

        /** The first limit that requires the largest number. */
        String reason() {
            return most() == 1
                    ? "one is enough"
                    : byLimit.entrySet().stream()
                            .filter(need -> need.getValue() == most())
                            .findFirst()
                            .orElseThrow()
                            .getKey();
        }
    }
}
