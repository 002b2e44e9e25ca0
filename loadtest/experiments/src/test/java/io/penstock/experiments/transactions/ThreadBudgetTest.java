package io.penstock.experiments.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how the blocking client and the multiplexed client divide the same number of threads between users and calls. */
class ThreadBudgetTest {
    private final Latencies latencies = new Latencies(Duration.ofMillis(1200), Duration.ofSeconds(6), 42);
    private final Latencies constantLatencies = new Latencies(Duration.ofMillis(20), Duration.ofMillis(20), 42);

    @Test
    void theBudgetOfTheMultiplexedClientIncludesTheSelectorThread() {
        assertEquals(new ThreadBudget(49, 0, 1), ThreadBudget.multiplexed(50));
        assertEquals(50, ThreadBudget.multiplexed(50).threads());
        assertThrows(IllegalArgumentException.class, () -> ThreadBudget.multiplexed(1));
    }

    @Test
    void theBalancedDivisionMakesUserThreadsAndCallThreadsEquallyBusy() {
        // A transaction makes four parallel calls and then a booking. Each call takes 20 ms, and the booking also takes
        // 20 ms. The user's thread makes one of the four calls and the booking: 2 x 20 ms. Call threads make the other
        // three calls: 3 x 20 ms.
        assertEquals(
                new ThreadBudget(20, 30, 0),
                ThreadBudget.blockingBalanced(50, new TransactionShape(5), constantLatencies));
    }

    @Test
    void theBalancedDivisionUsesTheWholeBudget() {
        ThreadBudget budget = ThreadBudget.blockingBalanced(50, new TransactionShape(5), latencies);
        assertEquals(50, budget.threads());
        assertTrue(budget.users() >= 23 && budget.users() <= 26, budget::toString);
    }

    @Test
    void allThreadsAreForUsersIfATransactionHasNoParallelCalls() {
        assertEquals(new ThreadBudget(50, 0, 0), ThreadBudget.blockingBalanced(50, new TransactionShape(2), latencies));
        assertEquals(new ThreadBudget(50, 0, 0), ThreadBudget.blockingBalanced(50, new TransactionShape(1), latencies));
    }

    @Test
    void atLeastOneThreadForEachSupplierIsRequiredForTheBlockingClient() {
        TransactionShape shape = new TransactionShape(5);
        assertEquals(new ThreadBudget(1, 3, 0), ThreadBudget.blockingBalanced(4, shape, latencies));
        IllegalArgumentException tooSmall =
                assertThrows(IllegalArgumentException.class, () -> ThreadBudget.blockingBalanced(3, shape, latencies));
        assertEquals(
                "--threads must be at least 4: with blocking I/O a transaction needs a thread for each of its 4 suppliers",
                tooSmall.getMessage());
    }

    @Test
    void aGivenNumberOfUsersMustFitIntoTheBudget() {
        assertEquals(new ThreadBudget(12, 38, 0), ThreadBudget.blocking(50, 12, 4));
        assertEquals(new ThreadBudget(50, 0, 0), ThreadBudget.blocking(50, 50, 4));
        assertThrows(IllegalArgumentException.class, () -> ThreadBudget.blocking(50, 51, 4));
        assertThrows(IllegalArgumentException.class, () -> ThreadBudget.blocking(50, 0, 4));
    }

    @Test
    void toStringDescribesTheDivisionOfTheThreads() {
        assertEquals("25 for users, 25 for calls", new ThreadBudget(25, 25, 0).toString());
        assertEquals("49 for users, 1 with the selector", new ThreadBudget(49, 0, 1).toString());
    }
}
