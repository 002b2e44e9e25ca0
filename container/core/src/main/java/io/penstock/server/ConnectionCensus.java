package io.penstock.server;

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
 * The number of connections in each state, and the connections that hold the most bytes. The reactors report their connections at about the
 * same time. A census needs less memory than a {@link ConnectionList}, because it makes no object for each connection.
 *
 * @param counts the number of connections in each state; 0 for a state without connections
 * @param busiest the connections that hold the most bytes of request bodies, and the connections that hold the most bytes of responses. The
 *     connection with the most bytes is the first. Connections without bytes are not in the list
 * @param streams the number of open streams
 * @param blocked how many of them wait until their client enlarges their window
 * @param missing the reactors that did not answer in time. Their connections are not counted
 */
public record ConnectionCensus(
        Map<ConnectionState, Long> counts,
        long streams,
        long blocked,
        List<ConnectionSnapshot> busiest,
        List<String> missing) {
    private static final ToLongFunction<ConnectionSnapshot> ALL =
            snapshot -> snapshot.requestBytes() + snapshot.responseBytes();

    /**
     * Asks all reactors at the same time for their connections.
     *
     * <p>Thread: any, except for reactors.
     *
     * @param most the largest number of connections in {@link #busiest}
     */
    static ConnectionCensus take(List<Reactor> reactors, Duration patience, int most) {
        ReactorQuery<Part> query = new ReactorQuery<>(reactors, patience);
        List<Part> parts = query.all(() -> new Part(most), Part::add);
        Map<ConnectionState, Long> counts = new EnumMap<>(ConnectionState.class);
        for (ConnectionState state : ConnectionState.values()) {
            counts.put(
                    state, parts.stream().mapToLong(part -> part.count(state)).sum());
        }
        List<ConnectionSnapshot> sending =
                best(parts.stream().map(part -> part.sending), ConnectionSnapshot::requestBytes);
        List<ConnectionSnapshot> taking =
                best(parts.stream().map(part -> part.taking), ConnectionSnapshot::responseBytes);
        return new ConnectionCensus(
                counts,
                parts.stream().mapToLong(part -> part.streams).sum(),
                parts.stream().mapToLong(part -> part.blocked).sum(),
                busiest(sending, taking, most),
                query.missing());
    }

    private static List<ConnectionSnapshot> best(Stream<Top> tops, ToLongFunction<ConnectionSnapshot> held) {
        return tops.flatMap(top -> top.snapshots.stream())
                .sorted(Comparator.comparingLong(held).reversed())
                .toList();
    }

    /**
     * Chooses {@code most} connections: half by the bytes of their requests, and half by the bytes of their responses. Otherwise the list
     * could contain only connections with large responses, and none with large requests.
     */
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

    /**
     * The connections of one reactor with the most bytes of requests, or with the most bytes of responses. Thread: the reactor fills this
     * object. After that, the thread of the query reads it.
     */
    private static final class Top {
        private final int most;
        private final ToLongFunction<ConnectionSnapshot> held;
        final PriorityQueue<ConnectionSnapshot> snapshots;

        Top(int most, ToLongFunction<ConnectionSnapshot> held) {
            this.most = most;
            this.held = held;
            this.snapshots = new PriorityQueue<>(Comparator.comparingLong(held));
        }

        void offer(long bytes, Conversation conversation) {
            if (bytes == 0 || (snapshots.size() >= most && bytes <= held.applyAsLong(snapshots.element()))) {
                return;
            }
            if (snapshots.size() >= most) {
                snapshots.remove();
            }
            snapshots.add(conversation.snapshot());
        }
    }

    /** The census of one reactor. Thread: the reactor fills this object. After that, the thread of the query reads it. */
    private static final class Part {
        private final int most;
        private final Map<ConnectionState, long[]> counts = new EnumMap<>(ConnectionState.class);
        final Top sending;
        final Top taking;
        long streams;
        long blocked;

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

        void add(Conversation conversation) {
            of(conversation.state())[0]++;
            streams += conversation.streams();
            blocked += conversation.blockedStreams();
            if (most > 0) {
                sending.offer(conversation.requestBytes(), conversation);
                taking.offer(conversation.responseBytes(), conversation);
            }
        }
    }
}
