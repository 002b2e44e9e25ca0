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
 * @param missing reactors that did not answer in time; their connections are not in the list
 */
public record ConnectionList(List<ConnectionSnapshot> connections, List<String> missing) {

    /**
     * Asks all reactors at the same time for their connections.
     *
     * <p>Thread: any but a reactor.
     *
     * @param patience how long to wait for a reactor
     */
    static ConnectionList take(List<Reactor> reactors, Duration patience) {
        ReactorQuery<List<ConnectionSnapshot>> query = new ReactorQuery<>(reactors, patience);
        List<List<ConnectionSnapshot>> parts =
                query.all(ArrayList::new, (own, conversation) -> own.add(conversation.snapshot()));
        return new ConnectionList(parts.stream().flatMap(List::stream).toList(), query.missing());
    }

    /** The number of connections in each state, zero included. */
    public Map<ConnectionState, Long> counts() {
        Map<ConnectionState, Long> counts = new EnumMap<>(ConnectionState.class);
        for (ConnectionState state : ConnectionState.values()) {
            counts.put(state, 0L);
        }
        connections.forEach(snapshot -> counts.merge(snapshot.state(), 1L, Long::sum));
        return counts;
    }
}
