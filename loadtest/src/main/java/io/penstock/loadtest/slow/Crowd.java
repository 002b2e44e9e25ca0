package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Slow clients standing around at a server. Who is sent away by it comes back at once, so the crowd keeps its size.
 *
 * <pre>
 *   GATHERING ──> COMPLETE ──> DISPERSED
 *        └───────────────────────^
 * </pre>
 *
 * Thread: the loop. Owns: the wires of its members.
 */
final class Crowd {
    private static final int MOST_COMING = 100;
    private static final int MILLIS_BEFORE_COMING_BACK = 50;

    private enum State {
        GATHERING,
        COMPLETE,
        DISPERSED
    }

    private final ClientLoop loop;
    private final CrowdPlan plan;
    private final Map<Kind, Integer> present = new EnumMap<>(Kind.class);
    private final Set<Wire> wires = new HashSet<>();
    private final CompletableFuture<Void> gathered = new CompletableFuture<>();
    private State state = State.GATHERING;
    private String lastCause = "no connection has failed";
    private int coming;
    private int standing;
    private int fewestStanding;
    private int cameBack;
    private int bodiesAnswered;
    private int bodiesRefused;

    Crowd(ClientLoop loop, CrowdPlan plan) {
        this.loop = loop;
        this.plan = plan;
    }

    /** What became of the crowd so far. */
    record Tally(int size, int fewestStanding, int cameBack, int bodiesAnswered, int bodiesRefused) {}

    /** Calls everybody; the future completes when all stand. */
    CompletableFuture<Void> gather() {
        fill();
        if (plan.all() == 0) {
            onComplete();
        }
        return gathered;
    }

    /** Sends everybody away. */
    Tally disperse() {
        state = State.DISPERSED;
        wires.forEach(Wire::close);
        wires.clear();
        return new Tally(plan.all(), fewestStanding, cameBack, bodiesAnswered, bodiesRefused);
    }

    /** For the case that it does not become complete. */
    String progress() {
        return standing + " of " + plan.all() + " slow clients stand; last trouble: " + lastCause;
    }

    ClientLoop loop() {
        return loop;
    }

    CrowdPlan plan() {
        return plan;
    }

    void onStanding(Member member) {
        coming--;
        standing++;
        if (state == State.GATHERING && standing == plan.all()) {
            onComplete();
        }
        fill();
    }

    void onGone(Member member, Wire wire, IOException cause) {
        wires.remove(wire);
        lastCause = String.valueOf(cause.getMessage());
        present.merge(member.kind(), -1, Integer::sum);
        if (member.isStanding()) {
            standing--;
            cameBack++;
            fewestStanding = Math.min(fewestStanding, standing);
        } else {
            coming--;
        }
        loop.after(MILLIS_BEFORE_COMING_BACK, this::fill);
    }

    void onBodyAnswered(int status) {
        if (status < 400) {
            bodiesAnswered++;
        } else {
            bodiesRefused++;
        }
    }

    private void onComplete() {
        state = State.COMPLETE;
        fewestStanding = standing;
        gathered.complete(null);
    }

    /** Lets those come who are missing, only so many at a time. */
    private void fill() {
        for (Kind kind : Kind.values()) {
            while (state != State.DISPERSED && coming < MOST_COMING && present(kind) < plan.of(kind)) {
                if (!call(Member.of(kind, this))) {
                    return;
                }
            }
        }
    }

    private boolean call(Member member) {
        try {
            wires.add(loop.open(plan.targetOf(member.kind()).address(), member));
        } catch (IOException cannot) {
            lastCause = String.valueOf(cannot.getMessage());
            loop.after(MILLIS_BEFORE_COMING_BACK, this::fill);
            return false;
        }
        present.merge(member.kind(), 1, Integer::sum);
        coming++;
        return true;
    }

    private int present(Kind kind) {
        return present.getOrDefault(kind, 0);
    }
}
