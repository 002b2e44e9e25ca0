package io.penstock.server;

import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The reactors of one server. For each reactor, an {@link UnfinishedBodies} object has the request bodies that arrive on the connections of
 * the reactor.
 *
 * <p>Thread: any, except for the constructor.
 */
final class Reactors {
    private final List<Member> members = new ArrayList<>();

    /** One reactor, and the request bodies that arrive on its connections. */
    record Member(Reactor reactor, UnfinishedBodies unfinished) {}

    /** Handles a {@link Conversation}, the protocol state of one connection. An exception ends only this connection. */
    @FunctionalInterface
    interface Visitor {
        void visit(Conversation conversation) throws IOException;
    }

    /**
     * @param prefix the prefix of the names of the threads
     * @param wakeWorker wakes a worker for the requests that a round of a reactor has queued
     * @throws IOException if the system cannot open another selector. In this case, all selectors of this object are closed
     */
    Reactors(
            ServerConfig config,
            SegmentPool pool,
            Clock clock,
            ConnectionEvents events,
            Counters counters,
            String prefix,
            Rounds rounds,
            Runnable wakeWorker)
            throws IOException {
        try {
            for (int i = 1; i <= config.threads().reactors(); i++) {
                Reactor reactor = new Reactor(
                        prefix + "reactor-" + i,
                        clock,
                        events,
                        counters,
                        config.pipes().assured(),
                        rounds,
                        wakeWorker);
                members.add(new Member(reactor, new UnfinishedBodies(reactor, pool, this::spillElsewhere)));
            }
        } catch (IOException | RuntimeException | Error e) {
            stop();
            throw e;
        }
    }

    /**
     * Asks the other reactors to write their largest body to disk. A reactor calls this method when it lacks memory and has no body that it
     * can write to disk. Thread: the calling reactor.
     */
    private void spillElsewhere(UnfinishedBodies asking) {
        for (Member other : members) {
            if (other.unfinished() != asking) {
                other.reactor().execute(other.unfinished()::spillLargest);
            }
        }
    }

    List<Member> members() {
        return List.copyOf(members);
    }

    List<Reactor> all() {
        return members.stream().map(Member::reactor).toList();
    }

    /** The number of connections that wait for memory. */
    long waitingForMemory() {
        return members.stream()
                .mapToLong(member -> member.unfinished().waitingForMemory())
                .sum();
    }

    void start() {
        members.forEach(member -> member.reactor().start());
    }

    void stop() {
        members.forEach(member -> member.reactor().stop());
    }

    /** Calls the visitor for every conversation, on the reactor of the conversation. */
    void visit(Visitor visitor) {
        members.forEach(member -> member.reactor().forEachHandler(of(visitor)));
    }

    /** Runs {@code task} on each reactor. */
    void execute(Runnable task) {
        members.forEach(member -> member.reactor().execute(task));
    }

    /**
     * Converts the visitor into a visitor of all handlers. The result skips handlers that are not conversations, for example the handlers
     * of refused clients.
     */
    static Reactor.Visitor of(Visitor visitor) {
        return handler -> {
            if (handler instanceof Conversation conversation) {
                visitor.visit(conversation);
            }
        };
    }
}
