package io.penstock.http1;

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
public record Census(Map<Standing.State, Long> counts, List<Standing> busiest, List<String> silent) {
    private static final ToLongFunction<Standing> ALL = standing -> standing.requestsHeld() + standing.responsesHeld();

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
        Map<Standing.State, Long> counts = new EnumMap<>(Standing.State.class);
        for (Standing.State state : Standing.State.values()) {
            counts.put(
                    state, parts.stream().mapToLong(part -> part.count(state)).sum());
        }
        List<Standing> sending = best(parts.stream().map(part -> part.sending), Standing::requestsHeld);
        List<Standing> taking = best(parts.stream().map(part -> part.taking), Standing::responsesHeld);
        return new Census(counts, busiest(sending, taking, most), ask.silent());
    }

    private static List<Standing> best(Stream<Top> tops, ToLongFunction<Standing> held) {
        return tops.flatMap(top -> top.standings.stream())
                .sorted(Comparator.comparingLong(held).reversed())
                .toList();
    }

    /** Half of the places are for each side: a file that is served is large, and whoever takes it must not hide those who send. */
    private static List<Standing> busiest(List<Standing> sending, List<Standing> taking, int most) {
        int forSending = Math.min(sending.size(), Math.max((most + 1) / 2, most - taking.size()));
        int forTaking = Math.min(taking.size(), most - forSending);
        Map<String, Standing> chosen = new LinkedHashMap<>();
        sending.subList(0, forSending).forEach(one -> chosen.put(one.connection(), one));
        taking.subList(0, forTaking).forEach(one -> chosen.put(one.connection(), one));
        return chosen.values().stream()
                .sorted(Comparator.comparingLong(ALL).reversed())
                .toList();
    }

    /** Those of one reactor that hold most of one kind. Thread: that reactor, then the one that asks. */
    private static final class Top {
        private final int most;
        private final ToLongFunction<Standing> held;
        final PriorityQueue<Standing> standings;

        Top(int most, ToLongFunction<Standing> held) {
            this.most = most;
            this.held = held;
            this.standings = new PriorityQueue<>(Comparator.comparingLong(held));
        }

        void offer(long bytes, Http1Connection connection) {
            if (bytes == 0 || (standings.size() >= most && bytes <= held.applyAsLong(standings.element()))) {
                return;
            }
            if (standings.size() >= most) {
                standings.remove();
            }
            standings.add(connection.standing());
        }
    }

    /** One reactor's. Thread: that reactor, then the one that asks. */
    private static final class Part {
        private final int most;
        private final Map<Standing.State, long[]> counts = new EnumMap<>(Standing.State.class);
        final Top sending;
        final Top taking;

        Part(int most) {
            this.most = most;
            this.sending = new Top(most, Standing::requestsHeld);
            this.taking = new Top(most, Standing::responsesHeld);
            for (Standing.State state : Standing.State.values()) {
                counts.put(state, new long[1]);
            }
        }

        long count(Standing.State state) {
            return of(state)[0];
        }

        private long[] of(Standing.State state) {
            return Objects.requireNonNull(counts.get(state));
        }

        void add(Http1Connection connection) {
            Standing.State state = connection.state();
            of(state)[0]++;
            if (most > 0) {
                sending.offer(connection.requestsHeld(), connection);
                taking.offer(connection.responsesHeld(), connection);
            }
        }
    }
}
