package io.penstock.session.redis;

import java.nio.ByteBuffer;

/**
 * The marks of a session's latest changes, the newest first: the field {@code recent}. Each belongs to a version; together they tell which
 * versions the session has had.
 */
final class ChangeMarks {
    private final long version;
    private final long[] marks;

    /** @param version the version of the first mark */
    ChangeMarks(long version, byte[] recent) {
        this.version = version;
        this.marks = new long[recent.length / Long.BYTES];
        ByteBuffer.wrap(recent).asLongBuffer().get(marks);
    }

    long version() {
        return version;
    }

    /** 0 if there is none. */
    long latest() {
        return marks.length == 0 ? 0 : marks[0];
    }

    /**
     * Whether the session has had this version with this mark. False if Redis has lost that version, and has another one of its number or
     * none. True for a version that is too old for a mark.
     *
     * @param mark 0 for any
     */
    boolean follow(long base, long mark) {
        long age = version - base;
        if (age < 0) {
            return false;
        }
        return mark == 0 || age >= marks.length || marks[(int) age] == mark;
    }

    /** As Redis has it; empty for 0. */
    static byte[] bytes(long mark) {
        return mark == 0
                ? new byte[0]
                : ByteBuffer.allocate(Long.BYTES).putLong(mark).array();
    }
}
