package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Counter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The nonces of one realm (RFC 7616 section 5.4). A nonce contains its creation time, authenticated by a key. So the server stores nothing
 * for a challenge. Servers with the same key accept each other's nonces; their clocks should agree.
 *
 * <p>A nonce gets an entry when its first correct answer arrives. The entry contains the use counts that this server has accepted. So an
 * attacker cannot replay a recorded request at this server. If there are too many entries, the oldest entry is dropped. After that, the
 * server rejects a nonce without an entry if the nonce is as old as the dropped nonce, or older.
 *
 * <p>Thread: {@link #next}: reactors and workers, without a lock. The other methods: workers.
 */
final class DigestNonces {
    private static final String HMAC = "HmacSHA256";
    private static final int SEAL = 16;
    private static final long NANOS = 1_000_000_000;
    private static final int CONTENT = 2 * Long.BYTES;

    private final InstantSource clock;
    private final long lifetime;
    private final int kept;
    private final Consumer<Counter> counter;
    private final SecretKeySpec key;

    /** The number of the last nonce. The first number is random, because servers with the same key can make nonces at the same time. */
    private final AtomicLong number = new AtomicLong(new SecureRandom().nextLong());

    /** The used counts by nonce, in the order of the first use of each nonce. */
    @GuardedBy("this")
    private final Map<String, Counts> used = new LinkedHashMap<>();

    /** A nonce that was made at this time or earlier is stale if it has no entry, because its entry can have been dropped. */
    @GuardedBy("this")
    private long forgotten = -1;

    /** The used counts of one nonce: the highest count, and a bit for each of the 63 counts below the highest count. */
    private static final class Counts {
        private final long made;
        private long highest;
        private long seen;

        Counts(long made) {
            this.made = made;
        }

        boolean use(long count) {
            if (count > highest) {
                long shift = count - highest;
                seen = (shift < Long.SIZE ? seen << shift : 0) | 1;
                highest = count;
                return true;
            }
            long below = highest - count;
            long bit = below < Long.SIZE ? 1L << below : 0;
            if (bit == 0 || (seen & bit) != 0) {
                return false;
            }
            seen |= bit;
            return true;
        }
    }

    /** @param counter called for each stale nonce and for each dropped entry */
    DigestNonces(long lifetimeNanos, int kept, byte[] key, InstantSource clock, Consumer<Counter> counter) {
        this.lifetime = lifetimeNanos;
        this.kept = kept;
        this.counter = counter;
        this.clock = clock;
        this.key = new SecretKeySpec(key, HMAC);
    }

    /** A random key that no other server has. */
    static byte[] ownKey() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /**
     * The key of a context. All servers with the same secret have the same key for this context. The keys of different contexts differ, so
     * a nonce of one context is not valid in another context.
     */
    static byte[] sharedKey(String secret, String context) {
        return mac(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC))
                .doFinal(context.getBytes(StandardCharsets.UTF_8));
    }

    String next() {
        ByteBuffer nonce = ByteBuffer.allocate(CONTENT + SEAL);
        nonce.putLong(now()).putLong(number.incrementAndGet());
        nonce.put(seal(nonce.array()), 0, SEAL);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(nonce.array());
    }

    /** Nanoseconds since the epoch. */
    private long now() {
        Instant now = clock.instant();
        return now.getEpochSecond() * NANOS + now.getNano();
    }

    /**
     * Marks a nonce as used with a count. Returns false if the nonce is stale or was not made with this key. Also returns false if the
     * nonce was already used with this count, or if the count is so far below the highest used count that the server has no record of it.
     *
     * @param count the use count that the client has sent
     */
    synchronized boolean use(String nonce, long count) {
        long made = made(nonce);
        boolean known = used.containsKey(nonce);
        if (made < 0 || count < 1 || (made <= forgotten && !known)) {
            return false;
        }
        if (now() - made >= lifetime) {
            counter.accept(Counter.DIGEST_NONCES_STALE);
            return false;
        }
        boolean first = used.computeIfAbsent(nonce, fresh -> new Counts(made)).use(count);
        if (used.size() > kept) {
            Iterator<Counts> oldest = used.values().iterator();
            forgotten = Math.max(forgotten, oldest.next().made);
            oldest.remove();
            counter.accept(Counter.DIGEST_NONCES_FORGOTTEN);
        }
        return first;
    }

    /** The time at which the nonce was made; -1 if the nonce was not made with this key. */
    private long made(String nonce) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(nonce);
        } catch (IllegalArgumentException notBase64) {
            return -1;
        }
        if (bytes.length != CONTENT + SEAL) {
            return -1;
        }
        byte[] sealed = Arrays.copyOfRange(bytes, CONTENT, bytes.length);
        byte[] seal = Arrays.copyOf(seal(bytes), SEAL);
        return MessageDigest.isEqual(sealed, seal) ? ByteBuffer.wrap(bytes).getLong() : -1;
    }

    private byte[] seal(byte[] nonce) {
        Mac mac = mac(key);
        mac.update(nonce, 0, CONTENT);
        return mac.doFinal();
    }

    private static Mac mac(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no " + HMAC, e);
        }
    }
}
