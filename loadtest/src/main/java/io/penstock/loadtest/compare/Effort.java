package io.penstock.loadtest.compare;

import io.penstock.loadtest.peers.ContextSwitches;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.ProcessorUse;
import java.io.IOException;
import java.util.Optional;

/** The resources that a server and the client have used up to now. Thread: one thread. */
final class Effort {
    private final Contender contender;
    private final long allocated;
    private final ContextSwitches switches;
    private final Optional<ProcessorUse> use;
    private final ProcessAccount account;

    private Effort(Contender contender) throws IOException, InterruptedException {
        this.contender = contender;
        this.switches = ContextSwitches.of(contender.peer().pid());
        this.allocated = contender.allocatedBytes();
        this.use = ProcessorUse.now();
        this.account = ProcessAccount.of(contender.peer().pid());
    }

    static Effort now(Contender contender) throws IOException, InterruptedException {
        return new Effort(contender);
    }

    /**
     * Stores what was used since this object was made.
     *
     * @param cost the figure for the processor time of one request or handshake
     * @param count the number of requests or handshakes
     * @param seconds the time that they took
     */
    void put(Figures figures, Figure cost, long count, double seconds) throws IOException, InterruptedException {
        Effort now = now(contender);
        double cpu = now.account.cpuSecondsSince(account);
        figures.put(Figure.RESIDENT, now.account.residentBytes() / 1e6).put(Figure.THREADS, now.account.threads());
        if (count > 0) {
            figures.put(cost, cpu * 1e6 / count);
            figures.put(Figure.SWITCHES, (double) now.switches.since(switches) / count);
            if (allocated >= 0) {
                figures.put(Figure.ALLOCATED, (double) (now.allocated - allocated) / count);
            }
        }
        if (use.isPresent() && now.use.isPresent() && seconds > 0) {
            figures.put(Figure.CLIENT, (now.use.get().ownSecondsSince(use.get()) - cpu) / seconds);
        }
    }
}
