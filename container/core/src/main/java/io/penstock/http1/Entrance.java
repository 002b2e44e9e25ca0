package io.penstock.http1;

import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.limits.ConnectionsPolicy;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.Listen;
import io.penstock.reactor.Acceptor;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where accepted connections get their reactor, in turns, and where one too many is turned away, or not even accepted.
 *
 * <p>Thread: the acceptor; {@link #open} and {@link #turnedAway} any. A connection never changes its reactor.
 */
final class Entrance implements Acceptor.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    /** Clients that are turned away at one time, on all reactors; half of them may be on the way to one. */
    static final int MOST_TURNED_AWAY = 64;

    /** One reactor, and what each of its connections is given. */
    record Door(Reactor reactor, UnfinishedBodies unfinished) {}

    private final ServerResources server;
    private final Protocol protocol;
    private final Listen limits;
    private final List<Door> doors;
    private final List<RefusedClients> refused = new ArrayList<>(); // one a door
    private final OpenConnections atTheDoor = new OpenConnections(MOST_TURNED_AWAY); // and have no place
    private final OpenConnections open;
    private final Runnable leaves; // one for all who have a place
    private final RateLimitedLog complaints = new RateLimitedLog(Clock.SYSTEM, BETWEEN_COMPLAINTS);
    private int next;

    Entrance(ServerResources server, Protocol protocol, Listen limits, List<Door> doors) {
        this.server = server;
        this.protocol = protocol;
        this.limits = limits;
        this.doors = List.copyOf(doors);
        this.open = new OpenConnections(limits.maxConnections());
        this.leaves = open::leave;
        int mostEach = Math.max(1, MOST_TURNED_AWAY / 2 / doors.size());
        doors.forEach(door -> refused.add(new RefusedClients(protocol, mostEach)));
    }

    OpenConnections open() {
        return open;
    }

    /** Clients that are being told to come again later. */
    int turnedAway() {
        return atTheDoor.count();
    }

    @Override
    public boolean hasRoom(Runnable again) {
        return switch (limits.policy()) {
            case REFUSE -> true;
            case WAIT -> open.hasRoom(again) || pauses();
            case REPLACE ->
                atTheDoor.hasRoom(again); // the kernel holds the others until a reactor has looked for places
        };
    }

    /** Says so; returns that there is no room. */
    private boolean pauses() {
        server.count(Counter.ACCEPT_PAUSES);
        complain("the others wait until one has closed");
        return false;
    }

    @Override
    public void accept(SocketChannel channel) throws IOException {
        next = (next + 1) % doors.size();
        Door door = doors.get(next);
        if (open.tryEnter()) {
            try {
                door.reactor().adopt(channel, link -> protocol.open(link, door.unfinished()), leaves);
            } catch (OutOfMemoryError e) { // it has not been adopted
                open.leave();
                throw e;
            }
        } else if (!atTheDoor.tryEnter()) {
            tooMany();
            channel.close();
        } else {
            try {
                adoptAtTheDoor(channel, door);
            } catch (OutOfMemoryError e) {
                atTheDoor.leave();
                throw e;
            }
        }
    }

    private void adoptAtTheDoor(SocketChannel channel, Door door) {
        if (limits.policy() == ConnectionsPolicy.REPLACE) {
            Newcomer newcomer = new Newcomer(this, door, refused.get(next));
            door.reactor().adopt(channel, newcomer::open, newcomer::closed);
        } else {
            tooMany();
            door.reactor().adopt(channel, refused.get(next)::open, atTheDoor::leave);
        }
    }

    ServerResources server() {
        return server;
    }

    Protocol protocol() {
        return protocol;
    }

    /** Somebody finds no place. Any thread. */
    void tooMany() {
        server.reached(Key.MAX_CONNECTIONS);
        complain("the others are answered " + Key.MAX_CONNECTIONS.consequence().status());
    }

    /** Who was one too many is none any more. Any thread. */
    void leftDoor() {
        atTheDoor.leave();
    }

    private void complain(String consequence) {
        if (complaints.happened() > 0) {
            LOG.warn(
                    "{} connections are open, as many as may be ({}): {}",
                    limits.maxConnections(),
                    Key.MAX_CONNECTIONS.id(),
                    consequence);
        }
    }
}
