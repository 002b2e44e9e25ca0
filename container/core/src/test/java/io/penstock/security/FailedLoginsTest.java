package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.time.ManualClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FailedLoginsTest {
    private static final Duration LOCKOUT = Duration.ofMinutes(5);

    private final ManualClock clock = new ManualClock();
    private final AtomicInteger forgotten = new AtomicInteger();

    private FailedLogins atMost(int failures, int kept) {
        return new FailedLogins(failures, LOCKOUT.toNanos(), kept, clock, forgotten::incrementAndGet);
    }

    private static void fail(FailedLogins logins, String who, int times) {
        for (int i = 0; i < times; i++) {
            logins.failed(who);
        }
    }

    @Test
    void tooManyFailuresLockTheUserOutForTheConfiguredTime() {
        FailedLogins logins = atMost(3, 10);
        fail(logins, "ann", 2);
        assertEquals(0, logins.lockedFor("ann"));
        logins.failed("ann");
        assertEquals(300, logins.lockedFor("ann"));
        assertEquals(0, logins.lockedFor("bob"));
        clock.pass(LOCKOUT.minusMillis(1));
        assertEquals(1, logins.lockedFor("ann"));
        clock.pass(Duration.ofMillis(1));
        assertEquals(0, logins.lockedFor("ann"));
        logins.failed("ann");
        assertEquals(0, logins.lockedFor("ann")); // The number of failures was reset and is now 1.
    }

    @Test
    void failuresOlderThanTheLockoutTimeAreNotCounted() {
        FailedLogins logins = atMost(2, 10);
        for (int i = 0; i < 5; i++) {
            logins.failed("ann");
            assertEquals(0, logins.lockedFor("ann"));
            clock.pass(LOCKOUT);
        }
    }

    @Test
    void aSuccessfulLoginResetsTheNumberOfFailures() {
        FailedLogins logins = atMost(2, 10);
        logins.failed("ann");
        logins.succeeded("ann");
        logins.failed("ann");
        assertEquals(0, logins.lockedFor("ann"));
    }

    @Test
    void noUserIsLockedOutIfTheMaximumNumberOfFailuresIsZero() {
        FailedLogins logins = atMost(0, 10);
        fail(logins, "ann", 1000);
        assertEquals(0, logins.lockedFor("ann"));
    }

    @Test
    void theLeastRecentlyUpdatedEntryIsRemovedIfThereAreTooManyEntries() {
        FailedLogins logins = atMost(2, 3);
        fail(logins, "ann", 2);
        fail(logins, "bob", 2);
        fail(logins, "eve", 2);
        logins.failed("ann");
        assertEquals(0, forgotten.get());
        fail(logins, "joe", 1);
        assertEquals(1, forgotten.get());
        assertTrue(logins.lockedFor("ann") > 0);
        assertEquals(0, logins.lockedFor("bob"));
        assertTrue(logins.lockedFor("eve") > 0);
    }
}
