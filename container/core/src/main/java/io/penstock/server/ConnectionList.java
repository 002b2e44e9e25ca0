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
 * All connections of a server. The reactors report their connections at about the same time.
 *
 * @param connections the connections, in the order of the reactors
 * @param missing the reactors that did not answer in time. Their connections are not in the list
 */
public record ConnectionList(List<ConnectionSnapshot> connections, List<String> missing) {

    /**
     * Asks all reactors at the same time for their connections.
     *
     * <p>Thread: any, except for reactors.
     *
     * @param patience the longest time to wait for the reactors
     */
    static ConnectionList take(List<Reactor> reactors, Duration patience) {
        ReactorQuery<List<ConnectionSnapshot>> query = new ReactorQuery<>(reactors, patience);
        List<List<ConnectionSnapshot>> parts =
                query.all(ArrayList::new, (own, conversation) -> own.add(conversation.snapshot()));
        return new ConnectionList(parts.stream().flatMap(List::stream).toList(), query.missing());
    }

    /** The number of connections in each state. States without connections have the number 0. */
    public Map<ConnectionState, Long> counts() {
        Map<ConnectionState, Long> counts = new EnumMap<>(ConnectionState.class);
        for (ConnectionState state : ConnectionState.values()) {
            counts.put(state, 0L);
        }
        connections.forEach(snapshot -> counts.merge(snapshot.state(), 1L, Long::sum));
        return counts;
    }
}
