package io.penstock.http1;

import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.reactor.Reactor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How each connection of a server stands at about one moment.
 *
 * @param connections reactor by reactor
 * @param silent what did not answer in time: its connections are missing
 */
public record Survey(List<ConnectionSnapshot> connections, List<String> silent) {

    /**
     * Asks each reactor for its own connections, all at one time.
     *
     * <p>Thread: any but a reactor.
     *
     * @param patience that one which is stuck is waited for
     */
    static Survey take(List<Reactor> reactors, Duration patience) {
        Ask<List<ConnectionSnapshot>> ask = new Ask<>(reactors, patience);
        List<List<ConnectionSnapshot>> parts =
                ask.all(ArrayList::new, (own, connection) -> own.add(connection.snapshot()));
        return new Survey(parts.stream().flatMap(List::stream).toList(), ask.silent());
    }

    /** Connections in each state; the same for a state that none is in. */
    Map<ConnectionState, Long> counts() {
        Map<ConnectionState, Long> counts = new EnumMap<>(ConnectionState.class);
        for (ConnectionState state : ConnectionState.values()) {
            counts.put(state, 0L);
        }
        connections.forEach(standing -> counts.merge(standing.state(), 1L, Long::sum));
        return counts;
    }
}
