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
 * The reactors of one server, each with the request bodies that arrive on it.
 *
 * <p>Thread: any, except for the constructor.
 */
final class Reactors {
    private final List<Member> members = new ArrayList<>();

    /** One reactor and its bodies. */
    record Member(Reactor reactor, UnfinishedBodies unfinished) {}

    /** Visits a conversation, the protocol's state of one connection. An exception ends only that connection. */
    @FunctionalInterface
    interface Visitor {
        void visit(Conversation conversation) throws IOException;
    }

    /**
     * @param prefix of the threads' names
     * @throws IOException if the system has no selector left; then no selector stays open
     */
    Reactors(
            ServerConfig config,
            SegmentPool pool,
            Clock clock,
            ConnectionEvents events,
            Counters counters,
            String prefix,
            Rounds rounds)
            throws IOException {
        try {
            for (int i = 1; i <= config.threads().reactors(); i++) {
                Reactor reactor = new Reactor(
                        prefix + "reactor-" + i,
                        clock,
                        events,
                        counters,
                        config.pipes().assured(),
                        rounds);
                members.add(new Member(reactor, new UnfinishedBodies(reactor, pool, this::spillElsewhere)));
            }
        } catch (IOException | RuntimeException | Error e) {
            stop();
            throw e;
        }
    }

    /**
     * Asks the other reactors to write a body to disk, since the asking reactor lacks memory and has no such body itself. Thread: the
     * asking reactor.
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

    /** Connections that wait for memory. */
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

    /** Visits every conversation, on its reactor. */
    void visit(Visitor visitor) {
        members.forEach(member -> member.reactor().forEachHandler(of(visitor)));
    }

    /** Runs {@code task} on each reactor. */
    void execute(Runnable task) {
        members.forEach(member -> member.reactor().execute(task));
    }

    /** Visits a link if it has a conversation; a refused client has none. */
    static Reactor.Visitor of(Visitor visitor) {
        return handler -> {
            if (handler instanceof Conversation conversation) {
                visitor.visit(conversation);
            }
        };
    }
}
