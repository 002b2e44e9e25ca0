package io.penstock.http1;

import io.penstock.reactor.Reactor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;

/**
 * How many connections of a server are in each state at about one moment, and those that hold most. Unlike a {@link Survey} it makes
 * nothing for each connection.
 *
 * @param counts for each state, also for one that none is in
 * @param busiest those that hold most bytes come first; one that holds none is none of them
 * @param silent what did not answer in time: its connections are missing
 */
public record Census(Map<Standing.State, Long> counts, List<Standing> busiest, List<String> silent) {
    private static final Comparator<Standing> MOST_FIRST =
            Comparator.<Standing>comparingLong(Standing::held).reversed();

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
        List<Standing> busiest = new ArrayList<>();
        for (Standing.State state : Standing.State.values()) {
            counts.put(
                    state, parts.stream().mapToLong(part -> part.count(state)).sum());
        }
        parts.forEach(part -> busiest.addAll(part.busiest));
        busiest.sort(MOST_FIRST);
        return new Census(counts, List.copyOf(busiest.subList(0, Math.min(most, busiest.size()))), ask.silent());
    }

    /** One reactor's. Thread: that reactor, then the one that asks. */
    private static final class Part {
        private final int most;
        private final Map<Standing.State, long[]> counts = new EnumMap<>(Standing.State.class);
        final PriorityQueue<Standing> busiest = new PriorityQueue<>(Comparator.comparingLong(Standing::held));

        Part(int most) {
            this.most = most;
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
            if (most == 0) {
                return;
            }
            long held = connection.held();
            if (held > 0 && (busiest.size() < most || held > busiest.element().held())) {
                if (busiest.size() >= most) {
                    busiest.remove();
                }
                busiest.add(connection.standing());
            }
        }
    }
}
