package io.penstock.server;

import io.penstock.events.CloseCause;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.limits.AddressLimits;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.Listen;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.reactor.Acceptor;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import io.penstock.tls.TlsResources;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives accepted connections to the reactors in turn. At the limit {@code max-connections}, a new connection is refused, replaces another
 * connection, or waits in the backlog of the kernel. The key {@code max-connections-policy} selects one of the three. At the limit {@code
 * max-connections-address}, a new connection of the address is refused.
 *
 * <p>Thread: the acceptor's thread. Any thread can call {@link #open()}, {@link #refused()}, and the methods after the line "calls of
 * Replacement". One thread at a time can call {@link #limit}. A connection never changes its reactor.
 */
public final class ConnectionAcceptor implements Acceptor.Room {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionAcceptor.class);
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private static final Runnable NOTHING = ConnectionsOfAddresses.NOTHING;

    /** The largest number of clients that are being refused at one time, on all reactors together. */
    public static final int MAX_REFUSED = 64;

    /** From this part of {@code max-connections} on, connections are scarce ({@link ServerResources#areConnectionsScarce}). */
    private static final int SCARCE_PART = 2;

    /** A reactor, with the objects for its connections. */
    record Target(ServerResources server, Reactor reactor, UnfinishedBodies unfinished, RefusedClients refused) {

        /** Makes the handler of an admitted client. Thread: the reactor. */
        LinkHandler open(Link socket, ProtocolChoice choice) throws IOException {
            return new OpeningConversation(server, choice, socket, unfinished).open();
        }

        /** Refuses a client with an error response. Thread: the reactor. */
        LinkHandler refuse(Link socket, ProtocolChoice choice, Key limit) throws IOException {
            refused.add(socket);
            return new OpeningRefusal(server, choice, socket, unfinished, limit).open();
        }
    }

    private final ServerResources server;
    private final TlsResources tls;
    private final Listen limits;
    private final List<Target> targets;
    private final OpenConnections open;
    // Counts the clients that are being refused, and the new connections that wait in a Replacement.
    private final OpenConnections refused = new OpenConnections(MAX_REFUSED);
    // The action after the close of a connection. All connections share this object, to save memory.
    private final Runnable closed;
    // Written by reloads. Only one reload runs at a time.
    private volatile @Nullable ConnectionsOfAddresses ofAddresses;
    private final RateLimitedLog log = new RateLimitedLog(Clock.SYSTEM, LOG_INTERVAL);
    private int next;

    ConnectionAcceptor(ServerResources server, TlsResources tls, Reactors reactors) {
        this.server = server;
        this.tls = tls;
        this.limits = server.config().listen();
        this.open = new OpenConnections(limits.maxConnections());
        this.closed = open::leave;
        this.ofAddresses = ConnectionsOfAddresses.of(
                server.config().addresses(), server.config().proxies());
        List<Reactors.Member> members = reactors.members();
        int mostEach = Math.max(1, MAX_REFUSED / 2 / members.size());
        this.targets = members.stream()
                .map(member -> new Target(server, member.reactor(), member.unfinished(), new RefusedClients(mostEach)))
                .toList();
    }

    /** Makes the receiver of accepted connections for one listener. */
    Acceptor.Endpoint endpoint(Listener listener) {
        ProtocolChoice choice = new ProtocolChoice(listener, server, tls);
        return new Acceptor.Endpoint(listener.address(), new Acceptor.Receiver() {
            @Override
            public void accept(SocketChannel channel) {
                ConnectionAcceptor.this.accept(channel, choice);
            }

            @Override
            public void close(SocketChannel channel, Throwable cause) {
                ConnectionAcceptor.this.close(channel, cause);
            }
        });
    }

    /**
     * Sets the limit of connections for each client address. If the server has had no such limit since its start, only new connections are
     * counted from now on. Open connections are not counted.
     */
    void limit(AddressLimits addresses) {
        ConnectionsOfAddresses counted = ofAddresses;
        if (counted == null) {
            ofAddresses = ConnectionsOfAddresses.of(addresses, server.config().proxies());
        } else {
            counted.limit(addresses.connections());
        }
    }

    /** The count of admitted connections. */
    public OpenConnections open() {
        return open;
    }

    /** The number of clients that are being refused, plus the number of new connections in a {@link Replacement}. */
    public int refused() {
        return refused.count();
    }

    @Override
    public boolean hasRoom(Runnable again) {
        return switch (limits.policy()) {
            case REFUSE -> true;
            case WAIT -> open.hasRoom(again) || pauses();
            // While there is no room, further clients wait in the backlog of the kernel.
            case REPLACE -> refused.hasRoom(again);
        };
    }

    /** Counts and logs a pause of the acceptor. Always returns false, because there is no room for a connection. */
    private boolean pauses() {
        server.count(Counter.ACCEPT_PAUSES);
        logLimit("further connections wait until one has closed");
        return false;
    }

    private void accept(SocketChannel channel, ProtocolChoice choice) {
        next = (next + 1) % targets.size();
        Target target = targets.get(next);
        ConnectionsOfAddresses counted = ofAddresses;
        server.connectionsScarce(counted != null || open.count() >= limits.maxConnections() / SCARCE_PART);
        Runnable leaves = counted == null ? NOTHING : counted.tryEnter(remote(channel));
        if (leaves == null) {
            server.reached(Key.MAX_CONNECTIONS_ADDRESS);
            refuse(channel, choice, target, Key.MAX_CONNECTIONS_ADDRESS);
        } else if (open.tryEnter()) {
            adopt(channel, target, socket -> target.open(socket, choice), then(closed, leaves));
        } else if (limits.policy() == ConnectionsPolicy.REPLACE && refused.tryEnter()) {
            Replacement replacement = new Replacement(this, target, choice);
            adopt(channel, target, replacement::open, then(replacement::closed, leaves));
        } else {
            leaves.run();
            tooMany();
            refuse(channel, choice, target, Key.MAX_CONNECTIONS);
        }
    }

    /**
     * The address of the client. Null if the client has already disconnected. In this case, the reactor notices the disconnection later.
     */
    private static @Nullable SocketAddress remote(SocketChannel channel) {
        try {
            return channel.getRemoteAddress();
        } catch (IOException e) {
            LOG.debug("A client disconnected before it was accepted: {}", e.toString());
            return null;
        }
    }

    private static Runnable then(Runnable first, Runnable second) {
        return second == NOTHING
                ? first
                : () -> {
                    first.run();
                    second.run();
                };
    }

    /**
     * Refuses a client with an error response. If {@link #MAX_REFUSED} clients are being refused already, closes the connection without a
     * response.
     */
    private void refuse(SocketChannel channel, ProtocolChoice choice, Target target, Key limit) {
        if (refused.tryEnter()) {
            adopt(channel, target, socket -> target.refuse(socket, choice, limit), refused::leave);
        } else {
            target.reactor().closeUnopened(channel, new ConnectionClosed(CloseCause.MAX_CONNECTIONS));
        }
    }

    /** @param closed the action that runs after the connection has closed */
    private static void adopt(SocketChannel channel, Target target, Reactor.Opener opener, Runnable closed) {
        try {
            target.reactor().adopt(channel, opener, closed);
        } catch (OutOfMemoryError e) {
            // The reactor has not received the connection, so the reactor will not run the action.
            closed.run();
            throw e;
        }
    }

    private void close(SocketChannel channel, Throwable cause) {
        targets.get(next).reactor().closeUnopened(channel, cause);
    }

    // ---- calls of Replacement

    /** Admits the new connection if there is room. */
    boolean tryAdmitWaiting() {
        boolean admitted = open.tryEnter();
        if (admitted) {
            refused.leave();
        }
        return admitted;
    }

    /** Counts a connection that is closed to make room for a new connection. */
    void replaced() {
        server.count(Counter.CONNECTIONS_REPLACED);
    }

    /** Counts and logs a connection that is refused because of {@code max-connections}. */
    void tooMany() {
        server.reached(Key.MAX_CONNECTIONS);
        logLimit("further connections are answered "
                + Key.MAX_CONNECTIONS.consequence().status() + ", or are closed without an answer");
    }

    /** Called after a new connection that was admitted has closed. */
    void closed() {
        open.leave();
    }

    /** Called after a new connection that was not admitted has closed. */
    void waitingClosed() {
        refused.leave();
    }

    private void logLimit(String consequence) {
        if (log.happened() > 0) {
            LOG.warn(
                    "{} connections are open, the most that {} allows: {}",
                    limits.maxConnections(),
                    Key.MAX_CONNECTIONS.id(),
                    consequence);
        }
    }
}
