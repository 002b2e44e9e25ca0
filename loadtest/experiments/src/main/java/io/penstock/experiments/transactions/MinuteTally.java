package io.penstock.experiments.transactions;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.experiments.transactions.CallResult.Outcome;
import io.penstock.time.Clock;
import java.time.Duration;

/**
 * Counts the transactions that end in a minute, even if they began before it.
 *
 * <pre>
 *   BEFORE ──> COUNTING ──> OVER
 * </pre>
 *
 * <p>Thread: any.
 */
final class MinuteTally {
    private enum State {
        BEFORE,
        COUNTING,
        OVER
    }

    private final Kind kind;
    private final int number;
    private final Clock clock;

    @GuardedBy("this")
    private State state = State.BEFORE;

    @GuardedBy("this")
    private Usage atBegin = Usage.NONE;

    @GuardedBy("this")
    private long begin;

    @GuardedBy("this")
    private long complete;

    @GuardedBy("this")
    private long failed;

    @GuardedBy("this")
    private long calls;

    @GuardedBy("this")
    private long pastDeadline;

    @GuardedBy("this")
    private long failedOtherwise;

    @GuardedBy("this")
    private long latencyNanos;

    @GuardedBy("this")
    private String firstTrouble = "";

    MinuteTally(Kind kind, int number, Clock clock) {
        this.kind = kind;
        this.number = number;
        this.clock = clock;
    }

    synchronized void begin(Usage usage) {
        state = State.COUNTING;
        begin = clock.nanos();
        atBegin = usage;
    }

    synchronized boolean hasBegun() {
        return state != State.BEFORE;
    }

    synchronized void add(TransactionResult result) {
        if (state != State.COUNTING) {
            return;
        }
        calls += result.calls().size();
        pastDeadline += result.count(Outcome.PAST_DEADLINE);
        failedOtherwise += result.count(Outcome.FAILED);
        if (result.isComplete()) {
            complete++;
            latencyNanos += result.nanos();
        } else {
            failed++;
            noteTrouble(result);
        }
    }

    synchronized Minute end(Minute.Ending ending, Usage usage) {
        state = State.OVER;
        return new Minute(
                kind,
                number,
                Duration.ofNanos(clock.nanos() - begin),
                ending,
                complete,
                failed,
                calls,
                pastDeadline,
                failedOtherwise,
                Duration.ofNanos(latencyNanos),
                usage.cpu().minus(atBegin.cpu()),
                usage.serverCpu().minus(atBegin.serverCpu()),
                usage.loadAverage(),
                firstTrouble);
    }

    @GuardedBy("this")
    private void noteTrouble(TransactionResult result) {
        if (firstTrouble.isEmpty()) {
            firstTrouble = result.calls().stream()
                    .map(CallResult::trouble)
                    .filter(trouble -> !trouble.isEmpty())
                    .findFirst()
                    .orElse("");
        }
    }
}
