package io.penstock.http1;

import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.limits.Counter;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import org.jspecify.annotations.Nullable;

/**
 * One connection too many, that takes the place of another: of one that waits for its client to ask, else of one that waits for it to take an
 * answer, and of these of the oldest. A request that waits for a worker, or has one, loses its place to nobody. Where there are very many
 * connections, only some are looked at.
 *
 * <p>Thread: the reactor that has adopted it.
 *
 * <pre>
 *   AT_THE_DOOR --another gives way--> ADMITTED
 *        +--------nobody does--------> TURNED_AWAY
 * </pre>
 */
final class Newcomer {
    /** To look at more would cost more than the newcomer is worth. */
    private static final int LOOKED_AT = 128;

    private final Entrance entrance;
    private final Entrance.Door door;
    private final RefusedClients refused;
    private State state = State.AT_THE_DOOR;

    private enum State {
        AT_THE_DOOR,
        ADMITTED,
        TURNED_AWAY
    }

    /** @param refused where it goes if it gets no place; until it has one, it is counted there */
    Newcomer(Entrance entrance, Entrance.Door door, RefusedClients refused) {
        this.entrance = entrance;
        this.door = door;
        this.refused = refused;
    }

    LinkHandler open(Link link) {
        Search search = new Search();
        door.reactor().forSomeHandlers(LOOKED_AT, search::look);
        Conversation other = search.found;
        if (other != null) {
            entrance.server().count(Counter.CONNECTIONS_REPLACED);
            other.close("its place was given to another");
        }
        if (entrance.open().tryEnter()) {
            state = State.ADMITTED;
            entrance.leftDoor();
            return entrance.protocol().open(link, door.unfinished());
        }
        state = State.TURNED_AWAY;
        entrance.tooMany();
        return refused.open(link);
    }

    /** Its channel is closed. */
    void closed() {
        if (state == State.ADMITTED) {
            entrance.open().leave();
        } else {
            entrance.leftDoor();
        }
    }

    /** For the connection that would be missed least. */
    private static final class Search {
        private @Nullable Conversation found;
        private int claim = Integer.MAX_VALUE;

        void look(LinkHandler handler) {
            if (handler instanceof Conversation connection) {
                int its = claimOf(connection.state());
                if (its < claim || (its == claim && isOlder(connection))) {
                    claim = its;
                    found = connection;
                }
            }
        }

        private boolean isOlder(Conversation connection) {
            return found != null && connection.ageNanos() > found.ageNanos();
        }
    }

    /** How good a claim to its place a connection has in that state; {@link Integer#MAX_VALUE} keeps it. */
    private static int claimOf(ConnectionState state) {
        return switch (state) {
            case IDLE, HEAD, CLOSING -> 0;
            case BODY -> 1;
            case DRAINING -> 2;
            case SETTLING, QUEUED, RUNNING, UPGRADED -> Integer.MAX_VALUE;
        };
    }
}
