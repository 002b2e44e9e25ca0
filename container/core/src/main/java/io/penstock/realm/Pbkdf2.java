package io.penstock.realm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * PBKDF2 with HMAC-SHA-512 (RFC 8018 section 5.2), based on the JDK's HMAC.
 *
 * <p>The JDK's implementation occupies its processor for a tenth of a second. On a machine with few processors, this delays other
 * threads: the system may put a thread on the same processor, where it waits some milliseconds for the end of a time slice, again
 * and again. This implementation yields from time to time. It gives the same result, and takes the same time if no other thread
 * wants the processor. It gives other threads at most as much time as it takes itself, since each yield could cost a time slice on
 * busy processors.
 */
final class Pbkdf2 {
    private static final String HMAC = "HmacSHA512";

    /** About 30 microseconds. */
    private static final int ITERATIONS_BETWEEN_YIELDS = 64;

    private Pbkdf2() {}

    /**
     * @param password encoded as UTF-8; not empty
     * @param bytes the number of bytes to derive
     */
    static byte[] derive(String password, byte[] salt, int iterations, int bytes) throws GeneralSecurityException {
        Mac hmac = Mac.getInstance(HMAC);
        hmac.init(new SecretKeySpec(password.getBytes(StandardCharsets.UTF_8), HMAC));
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

    /** Measures the time that other threads were given. */
    private static final class Yields {
        private final long begun = System.nanoTime();
        private long given; // nanoseconds

        // Correctness does not depend on the yield. If it has no effect, other threads only wait as long as without it.
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
