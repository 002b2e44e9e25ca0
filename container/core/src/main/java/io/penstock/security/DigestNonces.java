package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Counter;
import io.penstock.time.Clock;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
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
 * The nonces of one realm (RFC 7616 section 5.4). A nonce contains its creation time, authenticated by a key of this process, so challenges
 * cost no memory. A nonce gets an entry with its first correct answer. The entry has the used counts, so that a recorded request cannot be
 * replayed. When there are too many entries, the oldest is dropped, and all nonces of its age or older without an entry are stale from then
 * on.
 *
 * <p>Thread: {@link #next} reactors and workers, without a lock; the rest workers.
 */
final class DigestNonces {
    private static final String HMAC = "HmacSHA256";
    private static final int SEAL = 16;
    private static final int CONTENT = 2 * Long.BYTES;

    private final Clock clock;
    private final long lifetime;
    private final int kept;
    private final Consumer<Counter> counter;
    private final SecretKeySpec key;
    private final long origin;
    private final AtomicLong number = new AtomicLong();

    /** By nonce, in the order of their first use. */
    @GuardedBy("this")
    private final Map<String, Counts> used = new LinkedHashMap<>();

    /** Nonces made up to this time are stale unless they have an entry, since their entry may have been dropped. */
    @GuardedBy("this")
    private long forgotten = -1;

    /** The used counts of one nonce: the highest, and a bit for each of the 63 below it. */
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

    /** @param counter counts stale and forgotten nonces */
    DigestNonces(long lifetimeNanos, int kept, Clock clock, Consumer<Counter> counter) {
        this.lifetime = lifetimeNanos;
        this.kept = kept;
        this.counter = counter;
        this.clock = clock;
        this.origin = clock.nanos();
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        key = new SecretKeySpec(bytes, HMAC);
    }

    String next() {
        ByteBuffer nonce = ByteBuffer.allocate(CONTENT + SEAL);
        nonce.putLong(now()).putLong(number.incrementAndGet());
        nonce.put(seal(nonce.array()), 0, SEAL);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(nonce.array());
    }

    /** Nanoseconds since this object was made. */
    private long now() {
        return clock.nanos() - origin;
    }

    /**
     * Uses a nonce with a count. Returns false if they have, or may have, been used together before. Returns false, too, if the nonce is
     * stale or was not made here.
     *
     * @param count from 1
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

    /** When the nonce was made; -1 if it was not made here. */
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
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(nonce, 0, CONTENT);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no " + HMAC, e);
        }
    }
}
