package io.penstock.experiments.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.transactions.CallResult.Outcome;
import io.penstock.loadtest.client.Target;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests transactions with successful and with failed calls. A transaction calls all suppliers at the same time, and then makes a booking.
 */
class TransactionTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final AtomicLong now = new AtomicLong();

    /**
     * A caller with scripted results. By default, each call succeeds. The test can set another result for a path. Each use of
     * {@link #callAll} advances the clock by one second.
     */
    private final class ScriptedCaller implements Caller {
        private final List<List<String>> rounds = new ArrayList<>();
        private final Map<String, CallResult> exceptions;

        ScriptedCaller(Map<String, CallResult> exceptions) {
            this.exceptions = exceptions;
        }

        @Override
        public List<CallResult> callAll(List<Target> targets) {
            now.addAndGet(1_000_000_000);
            List<String> paths = targets.stream().map(Target::path).toList();
            rounds.add(paths);
            return paths.stream()
                    .map(path -> exceptions.getOrDefault(path, CallResult.ANSWERED))
                    .toList();
        }

        @Override
        public void close() {
            rounds.clear();
        }
    }

    private TransactionResult run(int calls, long number, ScriptedCaller script) throws InterruptedException {
        return new Transaction(new TransactionShape(calls), call -> new Target(ADDRESS, "x", "/" + call), now::get)
                .run(script, number);
    }

    @Test
    void aTransactionCallsFourSuppliersTogetherAndThenMakesOneBooking() throws InterruptedException {
        ScriptedCaller script = new ScriptedCaller(Map.of());
        TransactionResult result = run(5, 3, script);
        assertEquals(List.of(List.of("/15", "/16", "/17", "/18"), List.of("/19")), script.rounds);
        assertTrue(result.isComplete());
        assertEquals(5, result.count(Outcome.ANSWERED));
        assertEquals(2_000_000_000, result.nanos());
    }

    @Test
    void aTransactionWithOneCallMakesOnlyTheBooking() throws InterruptedException {
        ScriptedCaller script = new ScriptedCaller(Map.of());
        assertTrue(run(1, 3, script).isComplete());
        assertEquals(List.of(List.of("/3")), script.rounds);
    }

    @Test
    void aTransactionFailsWithoutABookingIfASupplierMissesTheDeadline() throws InterruptedException {
        ScriptedCaller script = new ScriptedCaller(Map.of("/2", CallResult.PAST_DEADLINE));
        TransactionResult result = run(5, 0, script);
        assertEquals(1, script.rounds.size());
        assertFalse(result.isComplete());
        assertEquals(1, result.count(Outcome.PAST_DEADLINE));
        assertEquals(3, result.count(Outcome.ANSWERED));
    }

    @Test
    void aTransactionFailsIfItsBookingFails() throws InterruptedException {
        TransactionResult result = run(5, 0, new ScriptedCaller(Map.of("/4", CallResult.ofStatus(503))));
        assertFalse(result.isComplete());
        assertEquals(1, result.count(Outcome.FAILED));
    }

    @Test
    void theTallyCountsTransactionsWithinTheMinuteAndReportsTheirFirstFailure() {
        MinuteTally tally = new MinuteTally(Kind.BLOCKING, 1, now::get);
        TransactionResult good = new TransactionResult(500_000_000, List.of(CallResult.ANSWERED, CallResult.ANSWERED));
        TransactionResult late =
                new TransactionResult(500_000_000, List.of(CallResult.PAST_DEADLINE, CallResult.ANSWERED));
        TransactionResult bad = new TransactionResult(500_000_000, List.of(CallResult.failed("status 500")));
        tally.add(good);
        tally.begin(Usage.NONE);
        List.of(good, late, bad, good).forEach(tally::add);
        now.set(30_000_000_000L);
        Minute minute = tally.end(Minute.Ending.WHOLE, Usage.NONE);
        tally.add(good);
        assertEquals(2, minute.complete());
        assertEquals(2, minute.failed());
        assertEquals(7, minute.calls());
        assertEquals(1, minute.pastDeadline());
        assertEquals(1, minute.failedOtherwise());
        assertEquals(500, minute.meanLatencyMillis());
        assertEquals(4, minute.perMinute());
        assertEquals("no answer before the deadline", minute.firstTrouble());
    }
}
