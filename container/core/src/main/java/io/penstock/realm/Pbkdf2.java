package io.penstock.realm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * PBKDF2 with HMAC-SHA-512 (RFC 8018 section 5.2), of the platform's HMAC.
 *
 * <p>The platform's PBKDF2 does not let go of its processor for a tenth of a second. On a machine with few processors all other threads that
 * the system has put there wait for the end of its time slice, some milliseconds, again and again. This one yields in between: the same
 * result, in the same time if nobody else wants the processor. It gives others at most as much time as it takes: else each yield could
 * cost a time slice where the processors are always busy.
 */
final class Pbkdf2 {
    private static final String HMAC = "HmacSHA512";

    /** About 30 microseconds. */
    private static final int ITERATIONS_BETWEEN_YIELDS = 64;

    private Pbkdf2() {}

    /**
     * @param password used as UTF-8; not empty
     * @param bytes how many bytes are wanted
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

    /** The time that others were given. */
    private static final class Yields {
        private final long begun = System.nanoTime();
        private long given; // nanoseconds

        @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it; if it does nothing, others wait as they did
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
