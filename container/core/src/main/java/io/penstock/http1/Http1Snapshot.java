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

/** The state and the bytes of an HTTP/1.1 connection, collected from its halves, if it has them. Thread: its reactor. */
final class Http1Snapshot {
    private Http1Snapshot() {}

    /** @param halves the responses of the connection, with its reading half; null if it is idle */
    static ConnectionSnapshot of(Http1Connection connection, @Nullable ResponseSequence halves) {
        ConnectionState state = state(halves);
        if (halves == null) {
            return new ConnectionSnapshot(
                    connection.id(),
                    connection.link().remote(),
                    state,
                    connection.ageNanos(),
                    "",
                    List.of(),
                    0,
                    0,
                    0,
                    0);
        }
        RequestReader in = halves.in();
        IncomingBody read = answered(halves);
        IncomingBody next = in.arriving() == read ? null : in.arriving();
        ResponsePipe pipe = halves.writer().pipe();
        List<String> requests = requests(halves, state);
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
     */
    private static List<String> requests(ResponseSequence halves, ConnectionState state) {
        LinkWriter out = halves.writer();
        Http1Exchange answered = halves.current();
        Http1Exchange incomplete = halves.in().incomplete();
        Set<Http1Exchange> all = new LinkedHashSet<>();
        if (answered != null) {
            all.add(answered);
        }
        for (ResponseSlot.Parkable parked : halves.parkedInOrder()) {
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
    static ConnectionState state(@Nullable ResponseSequence halves) {
        if (halves == null) {
            return ConnectionState.IDLE;
        }
        if (halves.isClosing()) {
            return ConnectionState.CLOSING;
        }
        ConnectionState state = halves.in().state();
        if (!halves.writer().isEmpty()) {
            state = ConnectionState.busier(state, ConnectionState.DRAINING);
        }
        Http1Exchange answered = halves.current();
        if (answered != null && state != ConnectionState.UPGRADED) {
            state = ConnectionState.busier(
                    state, answered.isTaken() ? ConnectionState.RUNNING : ConnectionState.QUEUED);
        }
        return state;
    }

    /** Bytes of requests that the connection holds, in memory and on disk. */
    static long requestBytes(@Nullable ResponseSequence halves) {
        if (halves == null) {
            return 0;
        }
        RequestReader in = halves.in();
        IncomingBody read = answered(halves);
        IncomingBody next = in.arriving() == read ? null : in.arriving();
        return in.unread() + inMemory(read) + inMemory(next) + onDisk(read) + onDisk(next);
    }

    /** Bytes of responses that the connection holds, in memory and in files. */
    static long responseBytes(@Nullable ResponseSequence halves) {
        return halves == null
                ? 0
                : halves.writer().pipe().size() + halves.writer().pipe().inFiles();
    }

    /** The body of the request that is being answered; null if there is none. */
    private static @Nullable IncomingBody answered(ResponseSequence halves) {
        Http1Exchange answered = halves.current();
        return answered == null ? null : answered.incoming();
    }

    private static long inMemory(@Nullable IncomingBody body) {
        return body == null ? 0 : body.inMemory();
    }

    private static long onDisk(@Nullable IncomingBody body) {
        return body == null ? 0 : body.onDisk();
    }
}
