package io.penstock.http1;

import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.reactor.Reactor;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * How many connections of a server are in each state at about one moment, and those that hold most. Unlike a {@link Survey} it makes
 * nothing for each connection.
 *
 * @param counts for each state, also for one that none is in
 * @param busiest those that hold most bytes of requests, and those that hold most of responses; who holds most comes first, and who
 *     holds none is none of them
 * @param silent what did not answer in time: its connections are missing
 */
public record Census(Map<ConnectionState, Long> counts, List<ConnectionSnapshot> busiest, List<String> silent) {
    private static final ToLongFunction<ConnectionSnapshot> ALL =
            standing -> standing.requestBytes() + standing.responseBytes();

    /**
     * Asks each reactor for its own connections, all at one time.
     *
     * <p>Thread: any but a reactor.
     *
     * @param most of the busiest are told of
     */
    static Census take(List<Reactor> reactors, Duration patience, int most) {
        Ask<Part> ask = new Ask<>(reactors, patience);
        List<Part> parts = ask.all(() -> new Part(most), Part::add);
        Map<ConnectionState, Long> counts = new EnumMap<>(ConnectionState.class);
        for (ConnectionState state : ConnectionState.values()) {
            counts.put(
                    state, parts.stream().mapToLong(part -> part.count(state)).sum());
        }
        List<ConnectionSnapshot> sending =
                best(parts.stream().map(part -> part.sending), ConnectionSnapshot::requestBytes);
        List<ConnectionSnapshot> taking =
                best(parts.stream().map(part -> part.taking), ConnectionSnapshot::responseBytes);
        return new Census(counts, busiest(sending, taking, most), ask.silent());
    }

    private static List<ConnectionSnapshot> best(Stream<Top> tops, ToLongFunction<ConnectionSnapshot> held) {
        return tops.flatMap(top -> top.standings.stream())
                .sorted(Comparator.comparingLong(held).reversed())
                .toList();
    }

    /** Half of the places are for each side: a file that is served is large, and whoever takes it must not hide those who send. */
    private static List<ConnectionSnapshot> busiest(
            List<ConnectionSnapshot> sending, List<ConnectionSnapshot> taking, int most) {
        int forSending = Math.min(sending.size(), Math.max((most + 1) / 2, most - taking.size()));
        int forTaking = Math.min(taking.size(), most - forSending);
        Map<String, ConnectionSnapshot> chosen = new LinkedHashMap<>();
        sending.subList(0, forSending).forEach(one -> chosen.put(one.connection(), one));
        taking.subList(0, forTaking).forEach(one -> chosen.put(one.connection(), one));
        return chosen.values().stream()
                .sorted(Comparator.comparingLong(ALL).reversed())
                .toList();
    }

    /** Those of one reactor that hold most of one kind. Thread: that reactor, then the one that asks. */
    private static final class Top {
        private final int most;
        private final ToLongFunction<ConnectionSnapshot> held;
        final PriorityQueue<ConnectionSnapshot> standings;

        Top(int most, ToLongFunction<ConnectionSnapshot> held) {
            this.most = most;
            this.held = held;
            this.standings = new PriorityQueue<>(Comparator.comparingLong(held));
        }

        void offer(long bytes, Conversation connection) {
            if (bytes == 0 || (standings.size() >= most && bytes <= held.applyAsLong(standings.element()))) {
                return;
            }
            if (standings.size() >= most) {
                standings.remove();
            }
            standings.add(connection.snapshot());
        }
    }

    /** One reactor's. Thread: that reactor, then the one that asks. */
    private static final class Part {
        private final int most;
        private final Map<ConnectionState, long[]> counts = new EnumMap<>(ConnectionState.class);
        final Top sending;
        final Top taking;

        Part(int most) {
            this.most = most;
            this.sending = new Top(most, ConnectionSnapshot::requestBytes);
            this.taking = new Top(most, ConnectionSnapshot::responseBytes);
            for (ConnectionState state : ConnectionState.values()) {
                counts.put(state, new long[1]);
            }
        }

        long count(ConnectionState state) {
            return of(state)[0];
        }

        private long[] of(ConnectionState state) {
            return Objects.requireNonNull(counts.get(state));
        }

        void add(Conversation connection) {
            ConnectionState state = connection.state();
            of(state)[0]++;
            if (most > 0) {
                sending.offer(connection.requestBytes(), connection);
                taking.offer(connection.responseBytes(), connection);
            }
        }
    }
}
