package io.penstock.http1;

import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.LinkWriter;
import io.penstock.pipe.ResponsePipe;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state and the bytes of an HTTP/1.1 connection, collected from its parts. Thread: its reactor. */
final class Http1Snapshot {
    private Http1Snapshot() {}

    /** @param answered the exchange that is being answered, or null */
    static ConnectionSnapshot of(
            Http1Connection connection, RequestReader in, boolean closing, @Nullable Http1Exchange answered) {
        IncomingBody read = answered == null ? null : answered.incoming();
        IncomingBody next = in.arriving() == read ? null : in.arriving();
        ResponsePipe pipe = connection.writer().pipe();
        ConnectionState state = state(in, pipe, closing, answered);
        List<String> requests = requests(connection, state, answered, in.incomplete());
        return new ConnectionSnapshot(
                connection.id(),
                connection.link().remote(),
                state,
                connection.ageNanos(),
                requests.get(0),
                requests.subList(1, requests.size()),
                in.unread() + inMemory(read) + inMemory(next),
                onDisk(read) + onDisk(next),
                pipe.size(),
                pipe.inFiles());
    }

    /**
     * Describes the requests of the connection. The first one is in the state {@code state}; its text is empty if there is no request, or if
     * nothing is known of it.
     *
     * @param incomplete the request whose body is arriving, or null
     */
    private static List<String> requests(
            Http1Connection connection,
            ConnectionState state,
            @Nullable Http1Exchange answered,
            @Nullable Http1Exchange incomplete) {
        LinkWriter out = connection.writer();
        Set<Http1Exchange> all = new LinkedHashSet<>();
        if (answered != null) {
            all.add(answered);
        }
        for (ResponseSlot.Parkable parked : connection.responses().parkedInOrder()) {
            if (parked instanceof Http1Exchange exchange) {
                all.add(exchange);
            }
        }
        if (incomplete != null) {
            all.add(incomplete);
        }
        List<String> described = all.stream().map(Http1Exchange::describe).collect(Collectors.toList());
        if (answered == null && !out.isEmpty()) {
            // The response that is being sent has no exchange any more.
            String sending = out.sending().describe();
            if (state == ConnectionState.STORING) {
                described.addAll(sending.isEmpty() ? List.of() : List.of(sending));
            } else {
                described.add(0, sending);
            }
        }
        return described.isEmpty() ? List.of("") : described;
    }

    /** The state of the connection. */
    static ConnectionState state(
            RequestReader in, ResponsePipe pipe, boolean closing, @Nullable Http1Exchange answered) {
        ConnectionState state = in.state();
        if (closing) {
            return ConnectionState.CLOSING;
        }
        if (!pipe.isEmpty()) {
            state = ConnectionState.busier(state, ConnectionState.DRAINING);
        }
        if (answered != null) {
            state = ConnectionState.busier(
                    state, answered.isTaken() ? ConnectionState.RUNNING : ConnectionState.QUEUED);
        }
        return state;
    }

    /** Bytes of requests that the connection holds, in memory and on disk. */
    static long requestBytes(RequestReader in, @Nullable Http1Exchange answered) {
        IncomingBody read = answered == null ? null : answered.incoming();
        IncomingBody next = in.arriving() == read ? null : in.arriving();
        return in.unread() + inMemory(read) + inMemory(next) + onDisk(read) + onDisk(next);
    }

    private static long inMemory(@Nullable IncomingBody body) {
        return body == null ? 0 : body.inMemory();
    }

    private static long onDisk(@Nullable IncomingBody body) {
        return body == null ? 0 : body.onDisk();
    }
}
