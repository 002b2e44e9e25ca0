package io.penstock.realm;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * PBKDF2 (RFC 8018 section 5.2), based on the JDK's HMAC.
 *
 * <p>The JDK's implementation occupies its processor for a tenth of a second. On a machine with few processors, this delays other threads.
 * If the system puts another thread on the same processor, that thread waits some milliseconds for the end of a time slice, again and
 * again.
 *
 * <p>This implementation calls {@link Thread#yield} from time to time. The result is the same. The time is the same, too, if no other
 * thread needs the processor. On busy processors, each yield can cost a time slice. Therefore, the number of yields is limited: all yields
 * together take at most about as much time as the computation itself.
 */
final class Pbkdf2 {
    /** The computation between two yields takes about 30 microseconds. */
    private static final int ITERATIONS_BETWEEN_YIELDS = 64;

    private Pbkdf2() {}

    /**
     * @param algorithm the HMAC, such as {@code HmacSHA512}
     * @param password the encoded password; not empty
     * @param bytes the number of bytes to derive
     */
    static byte[] derive(String algorithm, byte[] password, byte[] salt, int iterations, int bytes)
            throws GeneralSecurityException {
        Mac hmac = Mac.getInstance(algorithm);
        hmac.init(new SecretKeySpec(password, algorithm));
        int size = hmac.getMacLength();
        ByteBuffer derived = ByteBuffer.allocate(bytes);
        for (int number = 1; derived.hasRemaining(); number++) {
            byte[] block = block(hmac, salt, number, iterations);
            derived.put(block, 0, Math.min(size, derived.remaining()));
        }
        return derived.array();
    }

    private static byte[] block(Mac hmac, byte[] salt, int number, int iterations) throws GeneralSecurityException {
        hmac.update(salt);
        hmac.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
        byte[] last = hmac.doFinal();
        byte[] sum = last.clone();
        Yields yields = new Yields();
        for (int i = 1; i < iterations; i++) {
            hmac.update(last);
            hmac.doFinal(last, 0);
            for (int b = 0; b < sum.length; b++) {
                sum[b] ^= last[b];
            }
            if (i % ITERATIONS_BETWEEN_YIELDS == 0) {
                yields.next();
            }
        }
        return sum;
    }

    /** Calls {@link Thread#yield}, and measures the time that the yields take. */
    private static final class Yields {
        private final long begun = System.nanoTime();
        private long given; // nanoseconds

        // The result does not depend on the yield. If the yield has no effect, other threads wait longer.
        @SuppressWarnings("ThreadPriorityCheck")
        void next() {
            long now = System.nanoTime();
            long taken = now - begun - given;
            if (given <= taken) {
                Thread.yield();
                given += System.nanoTime() - now;
            }
        }
    }
}
