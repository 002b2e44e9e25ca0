package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.time.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DigestNoncesTest {
    private static final Duration LIFETIME = Duration.ofMinutes(5);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ManualClock clock = new ManualClock();
    private final List<Counter> counted = new ArrayList<>();
    private final byte[] key = DigestNonces.ownKey();
    private final DigestNonces nonces = nonces(key);

    private DigestNonces nonces(byte[] with) {
        return new DigestNonces(LIFETIME.toNanos(), 10, with, () -> START.plusNanos(clock.nanos()), counted::add);
    }

    @Test
    void eachNonceCountIsAcceptedOnlyOnceForANonce() {
        String nonce = nonces.next();
        assertFalse(nonces.use(nonce, 0));
        for (int count : new int[] {1, 2, 10, 5, 4, 64, 3}) {
            assertTrue(nonces.use(nonce, count), "first use of the nonce count " + count);
            assertFalse(nonces.use(nonce, count), "second use of the nonce count " + count);
        }
        assertTrue(nonces.use(nonce, 0xFFFFFFFFL));
        assertFalse(nonces.use(nonce, 65));
    }

    @Test
    void usedAndUnusedNoncesExpireAfterTheirLifetime() {
        String used = nonces.next();
        String unused = nonces.next();
        clock.pass(LIFETIME.minusNanos(1));
        assertTrue(nonces.use(used, 1));
        clock.pass(Duration.ofNanos(1));
        assertFalse(nonces.use(used, 2));
        assertFalse(nonces.use(unused, 1));
        assertEquals(List.of(Counter.DIGEST_NONCES_STALE, Counter.DIGEST_NONCES_STALE), counted);
    }

    @Test
    void aNonceIsRejectedIfItIsChangedOrMadeWithAnotherKey() {
        String nonce = nonces.next();
        assertFalse(nonces(DigestNonces.ownKey()).use(nonce, 1));
        for (int i = 0; i < nonce.length() - 1; i++) {
            char other = nonce.charAt(i) == 'A' ? 'B' : 'A';
            assertFalse(nonces.use(nonce.substring(0, i) + other + nonce.substring(i + 1), 1));
        }
        for (String text : new String[] {"", "=", "A", "ä", nonce + "A", nonce.substring(1)}) {
            assertFalse(nonces.use(text, 1), text);
        }
        assertTrue(nonces.use(nonce, 1));
    }

    @Test
    void serversAcceptNoncesFromEachOtherIfTheyShareASecret() {
        String secret = "a secret of thirty-two characters";
        DigestNonces one = nonces(DigestNonces.sharedKey(secret, "/staff"));
        DigestNonces other = nonces(DigestNonces.sharedKey(secret, "/staff"));
        String nonce = one.next();
        assertTrue(other.use(nonce, 1));
        assertTrue(one.use(nonce, 2));
        assertTrue(other.use(nonce, 3));
        assertFalse(other.use(nonce, 1));
        assertFalse(one.use(nonce, 2));
        assertFalse(nonces(DigestNonces.sharedKey(secret, "//intranet.example/staff"))
                .use(nonce, 1));
        assertFalse(nonces(DigestNonces.sharedKey(secret + "s", "/staff")).use(nonce, 1));
        clock.pass(LIFETIME);
        assertFalse(one.use(nonce, 4));
        assertFalse(other.use(nonce, 4));
    }

    @Test
    void aUsedNonceIsNotAcceptedAgainAfterItsEntryHasBeenRemoved() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            made.add(nonces.next());
            clock.pass(Duration.ofMillis(1));
        }
        String older = made.get(0);
        made.forEach(nonce -> assertTrue(nonces.use(nonce, 1) || nonce.equals(older)));
        made.forEach(nonce -> assertFalse(nonces.use(nonce, 1)));
        assertTrue(nonces.use(made.get(29), 2));
        assertTrue(nonces.use(nonces.next(), 1));
        assertTrue(counted.contains(Counter.DIGEST_NONCES_FORGOTTEN));
    }
}
