package io.penstock.server;

import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.reactor.Reactor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * All connections of a server at about one moment.
 *
 * @param connections reactor by reactor
 * @param missing the reactors that did not answer in time, whose connections are missing
 */
public record ConnectionList(List<ConnectionSnapshot> connections, List<String> missing) {

    /**
     * Asks each reactor for its own connections, all at one time.
     *
     * <p>Thread: any but a reactor.
     *
     * @param patience with a reactor that does not answer
     */
    static ConnectionList take(List<Reactor> reactors, Duration patience) {
        ReactorQuery<List<ConnectionSnapshot>> query = new ReactorQuery<>(reactors, patience);
        List<List<ConnectionSnapshot>> parts =
                query.all(ArrayList::new, (own, conversation) -> own.add(conversation.snapshot()));
        return new ConnectionList(parts.stream().flatMap(List::stream).toList(), query.missing());
    }

    /** Connections in each state; zero for a state that none is in. */
    public Map<ConnectionState, Long> counts() {
        Map<ConnectionState, Long> counts = new EnumMap<>(ConnectionState.class);
        for (ConnectionState state : ConnectionState.values()) {
            counts.put(state, 0L);
        }
        connections.forEach(snapshot -> counts.merge(snapshot.state(), 1L, Long::sum));
        return counts;
    }
}
