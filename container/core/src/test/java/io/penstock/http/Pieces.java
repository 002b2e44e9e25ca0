package io.penstock.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Ways to cut a message: into one piece, into single bytes, and, for each offset, into two pieces at this offset. */
final class Pieces {
    private static final int MAX_CUTS = 40;

    private Pieces() {}

    static List<List<ByteBuffer>> of(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
        List<List<ByteBuffer>> ways = new ArrayList<>();
        ways.add(List.of(ByteBuffer.wrap(bytes)));
        for (int cut = 1; cut < bytes.length; cut++) {
            ways.add(List.of(
                    ByteBuffer.wrap(bytes, 0, cut).slice(),
                    ByteBuffer.wrap(bytes, cut, bytes.length - cut).slice()));
        }
        ways.add(singles(bytes));
        return ways;
    }

    /** Like {@link #of}, but cuts the message into two pieces only at some offsets. Used for long messages. */
    static List<List<ByteBuffer>> some(byte[] bytes) {
        List<List<ByteBuffer>> ways = new ArrayList<>();
        ways.add(List.of(ByteBuffer.wrap(bytes)));
        int step = 1 + bytes.length / MAX_CUTS;
        for (int cut = 1; cut < bytes.length; cut += step) {
            ways.add(List.of(
                    ByteBuffer.wrap(bytes, 0, cut).slice(),
                    ByteBuffer.wrap(bytes, cut, bytes.length - cut).slice()));
        }
        ways.add(singles(bytes));
        return ways;
    }

    private static List<ByteBuffer> singles(byte[] bytes) {
        List<ByteBuffer> singles = new ArrayList<>();
        for (int i = 0; i < bytes.length; i++) {
            singles.add(ByteBuffer.wrap(bytes, i, 1).slice());
        }
        return singles;
    }
}
