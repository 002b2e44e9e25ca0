package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.LoginLimits;
import io.penstock.limits.ServerConfig;
import io.penstock.time.ManualClock;
import org.junit.jupiter.api.Test;

/**
 * Tests that an attacker cannot lock out a user by failed logins with the name of this user. An address is called familiar if the user has
 * logged in from this address before.
 */
class LockOutByAttackerTest {
    private static final String ADDRESS_OF_USER = "7f000001";
    private static final String ADDRESS_OF_ATTACKER = "7f000002";

    private final LoginLimits limits = ServerConfig.defaults().logins();
    private final LockOuts lockOuts = new LockOuts(limits, new ManualClock(), () -> {});

    private void fail(String address, int times) {
        for (int i = 0; i < times; i++) {
            lockOuts.failed("ann", address);
        }
    }

    @Test
    void theUserIsNotLockedOutAtAFamiliarAddressAfterFailuresFromAnotherAddress() {
        lockOuts.succeeded("ann", ADDRESS_OF_USER);
        fail(ADDRESS_OF_ATTACKER, limits.failuresOfUser());
        assertEquals(0, lockOuts.lockedFor("ann", ADDRESS_OF_USER));
        assertTrue(lockOuts.lockedFor("ann", ADDRESS_OF_ATTACKER) > 0);
    }

    @Test
    void theUserIsLockedOutAtAnUnfamiliarAddressAfterFailuresFromAnotherAddress() {
        fail(ADDRESS_OF_ATTACKER, limits.failuresOfUser());
        assertTrue(lockOuts.lockedFor("ann", ADDRESS_OF_USER) > 0);
    }

    @Test
    void theUserIsLockedOutAtAFamiliarAddressAfterFailuresFromTheSameAddress() {
        lockOuts.succeeded("ann", ADDRESS_OF_USER);
        fail(ADDRESS_OF_USER, limits.failuresOfUser());
        assertTrue(lockOuts.lockedFor("ann", ADDRESS_OF_USER) > 0);
    }

    @Test
    void aSuccessfulLoginDoesNotResetTheFailuresFromOtherAddresses() {
        lockOuts.succeeded("ann", ADDRESS_OF_USER);
        fail(ADDRESS_OF_ATTACKER, limits.failuresOfUser() - 1);
        lockOuts.succeeded("ann", ADDRESS_OF_USER);
        fail(ADDRESS_OF_ATTACKER, 1);
        assertTrue(lockOuts.lockedFor("ann", ADDRESS_OF_ATTACKER) > 0);
    }

    @Test
    void theOldestFamiliarAddressIsRemovedIfThereAreTooManyFamiliarAddresses() {
        for (int i = 0; i <= limits.failuresKept(); i++) {
            lockOuts.succeeded("ann", Integer.toHexString(i));
        }
        fail(ADDRESS_OF_ATTACKER, limits.failuresOfUser());
        assertTrue(lockOuts.lockedFor("ann", "0") > 0);
        assertEquals(0, lockOuts.lockedFor("ann", "1"));
    }
}
