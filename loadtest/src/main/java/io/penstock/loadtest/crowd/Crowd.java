package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * A crowd: many slow clients that hold connections to a server. If the server closes the connection of a client, the client connects again
 * after a second. So the number of clients stays the same, and refused clients do not try again too often.
 *
 * <pre>
 *   GATHERING ──> COMPLETE ──> DISPERSED
 *        └───────────────────────^
 * </pre>
 *
 * Thread: the thread of the {@link ClientLoop}. Owns: the connections of its {@link Member}s.
 */
final class Crowd {
    private static final int MOST_COMING = 100;
    static final int MILLIS_BEFORE_COMING_BACK = 1000;

    private enum State {
        GATHERING,
        COMPLETE,
        DISPERSED
    }

    private final ClientLoop loop;
    private final CrowdPlan plan;
    private final IdentityHashMap<CrowdPlan.Group, Integer> present = new IdentityHashMap<>();
    private final Map<Wire, Member> members = new HashMap<>();
    private final CompletableFuture<Void> gathered = new CompletableFuture<>();
    private State state = State.GATHERING;
    private String lastTrouble = "";
    private int coming;
    private int standing;
    private int fewestStanding;
    private int sentAway;
    private int answered;
    private int refused;

    Crowd(ClientLoop loop, CrowdPlan plan) {
        this.loop = loop;
        this.plan = plan;
    }

    /** Starts all clients. The future completes when all clients count as connected; see {@link Tally#standing}. */
    CompletableFuture<Void> gather() {
        fill();
        if (plan.size() == 0) {
            onComplete();
        }
        return gathered;
    }

    /** Completes the future of {@link #gather} although some clients are not connected. */
    void settleForLess() {
        if (state == State.GATHERING) {
            onComplete();
        }
    }

    /** Ends all clients, and returns their last state. */
    Tally disperse() {
        Tally last = tally();
        state = State.DISPERSED;
        members.keySet().forEach(Wire::close);
        members.clear();
        return last;
    }

    Tally tally() {
        return new Tally(
                plan.size(),
                standing,
                number(Member::isBeingAnswered),
                plan.readers(),
                number(Member::hasSentBurst),
                fewestStanding,
                sentAway,
                answered,
                refused,
                lastTrouble);
    }

    private int number(Predicate<Member> which) {
        return (int) members.values().stream().filter(which).count();
    }

    ClientLoop loop() {
        return loop;
    }

    /** @param clients the number of clients that the connection counts as */
    void onStanding(int clients) {
        coming--;
        count(clients);
        fill();
    }

    /** A stream has ended; its connection has not. */
    void onStreamGone(String cause) {
        lastTrouble = cause;
        count(-1);
    }

    void count(int change) {
        standing += change;
        if (change < 0) {
            sentAway -= change;
            fewestStanding = Math.min(fewestStanding, standing);
        }
        if (state == State.GATHERING && standing == plan.size()) {
            onComplete();
        }
    }

    void onGone(Member member, Wire wire, IOException cause) {
        members.remove(wire);
        lastTrouble = String.valueOf(cause.getMessage());
        if (member.isStanding()) {
            count(-member.clients());
        } else {
            coming--;
        }
        loop.after(MILLIS_BEFORE_COMING_BACK, () -> comeBack(member.group()));
        // While this client pauses, other clients can connect.
        fill();
    }

    private void comeBack(CrowdPlan.Group group) {
        present.merge(group, -1, Integer::sum);
        fill();
    }

    /** Counts a response to a slow upload or reader. */
    void onAnswer(int status) {
        if (status < 400) {
            answered++;
        } else {
            refused++;
        }
    }

    private void onComplete() {
        state = State.COMPLETE;
        fewestStanding = standing;
        gathered.complete(null);
    }

    /** Starts the missing clients. At most {@link #MOST_COMING} clients are connecting at the same time. */
    private void fill() {
        for (CrowdPlan.Group group : plan.groups()) {
            while (state != State.DISPERSED && coming < MOST_COMING && present(group) < group.size()) {
                if (!call(group.client().member(this, group))) {
                    return;
                }
            }
        }
    }

    private boolean call(Member member) {
        try {
            members.put(member.open(loop), member);
        } catch (IOException cannot) {
            lastTrouble = String.valueOf(cannot.getMessage());
            loop.after(MILLIS_BEFORE_COMING_BACK, this::fill);
            return false;
        }
        present.merge(member.group(), 1, Integer::sum);
        coming++;
        return true;
    }

    private int present(CrowdPlan.Group group) {
        return present.getOrDefault(group, 0);
    }
}
