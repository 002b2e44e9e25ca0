package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.LoginLimits;
import io.penstock.time.HandClock;
import org.junit.jupiter.api.Test;

/** Tests that an attacker cannot lock out a user by failed logins with the name of this user. */
class LockOutAsAWeaponTest {
    private static final String HERS = "7f000001";
    private static final String HIS = "7f000002";

    private final LoginLimits limits = LoginLimits.defaults();
    private final LockOuts lockOuts = new LockOuts(limits, new HandClock(), () -> {});

    private void fail(String address, int times) {
        for (int i = 0; i < times; i++) {
            lockOuts.failed("ann", address);
        }
    }

    @Test
    void aUserIsNotLockedOutAtAnAddressWithAnEarlierLogin() {
        lockOuts.succeeded("ann", HERS);
        fail(HIS, limits.failuresOfUser());
        assertEquals(0, lockOuts.lockedFor("ann", HERS));
        assertTrue(lockOuts.lockedFor("ann", HIS) > 0);
    }

    @Test
    void aUserIsLockedOutAtAnAddressWithoutAnEarlierLogin() {
        fail(HIS, limits.failuresOfUser());
        assertTrue(lockOuts.lockedFor("ann", HERS) > 0);
    }

    @Test
    void failuresFromAnAddressWithAnEarlierLoginAreCounted() {
        lockOuts.succeeded("ann", HERS);
        fail(HERS, limits.failuresOfUser());
        assertTrue(lockOuts.lockedFor("ann", HERS) > 0);
    }

    @Test
    void aLoginDoesNotResetTheFailuresOfOtherAddresses() {
        lockOuts.succeeded("ann", HERS);
        fail(HIS, limits.failuresOfUser() - 1);
        lockOuts.succeeded("ann", HERS);
        fail(HIS, 1);
        assertTrue(lockOuts.lockedFor("ann", HIS) > 0);
    }

    @Test
    void theOldestKnownAddressIsRemovedIfThereAreTooMany() {
        for (int i = 0; i <= limits.failuresKept(); i++) {
            lockOuts.succeeded("ann", Integer.toHexString(i));
        }
        fail(HIS, limits.failuresOfUser());
        assertTrue(lockOuts.lockedFor("ann", "0") > 0);
        assertEquals(0, lockOuts.lockedFor("ann", "1"));
    }
}
