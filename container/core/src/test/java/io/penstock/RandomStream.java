package io.penstock;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The random output of a servlet in a test. The seed determines the output. The output consists of pieces of text or random bytes, with
 * flushes between some pieces.
 *
 * @param seed the seed of the random numbers
 * @param way the way in which the servlet writes
 * @param declared whether the servlet sets the content length
 * @param asked whether the client accepts gzip
 * @param steps the pieces in order
 * @param content the bytes of all pieces together
 */
record RandomStream(long seed, Way way, boolean declared, boolean asked, List<Step> steps, byte[] content) {
    private static final byte[] TEXT =
            "{\"id\": 4711, \"name\": \"penstock\", \"tags\": [\"a\", \"b\", \"c\"], \"open\": true},\n"
                    .getBytes(StandardCharsets.US_ASCII);

    /** The way in which the servlet writes. */
    enum Way {
        STREAM,
        BYTE_BY_BYTE,
        WRITER,
        BUFFERS,
        NON_BLOCKING
    }

    /**
     * One piece of the output.
     *
     * @param flushedAt the number of bytes that the client must be able to decode after the flush that follows this piece; -1 for no flush
     */
    record Step(byte[] bytes, long flushedAt) {}

    static RandomStream of(long seed) {
        Random random = new Random(seed);
        Way way = Way.values()[random.nextInt(Way.values().length)];
        List<Step> steps = new ArrayList<>();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            byte[] bytes = piece(random, way);
            content.writeBytes(bytes);
            steps.add(new Step(bytes, random.nextInt(3) == 0 ? content.size() : -1));
        }
        return new RandomStream(
                seed, way, random.nextInt(5) == 0, random.nextInt(8) > 0, List.copyOf(steps), content.toByteArray());
    }

    /** Returns a random piece of up to 200,000 bytes. Most pieces are much smaller. */
    private static byte[] piece(Random random, Way way) {
        int most =
                switch (random.nextInt(way == Way.BYTE_BY_BYTE ? 10 : 20)) {
                    case 0 -> 0;
                    case 1, 2, 3, 4, 5, 6 -> 100;
                    case 7, 8, 9, 10, 11, 12 -> 5_000;
                    case 13, 14, 15, 16, 17, 18 -> 30_000;
                    default -> 200_000;
                };
        byte[] bytes = new byte[most == 0 ? 0 : random.nextInt(most + 1)];
        int kind = random.nextInt(4);
        if (kind == 0 && way != Way.WRITER) {
            random.nextBytes(bytes);
            return bytes;
        }
        int offset = random.nextInt(TEXT.length);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = kind == 1 ? (byte) ('a' + random.nextInt(26)) : TEXT[(offset + i) % TEXT.length];
        }
        return bytes;
    }
}
