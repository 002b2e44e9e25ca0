package io.penstock.session.redis;

import java.nio.ByteBuffer;

/**
 * The marks of a session's latest changes, the newest first: the field {@code recent}. Each mark belongs to a version. Together
 * they show which versions the session has had.
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

    /** The mark of the latest change; 0 if there is none. */
    long latest() {
        return marks.length == 0 ? 0 : marks[0];
    }

    /**
     * Whether the session has had this version with this mark. False if Redis has lost this version. Then Redis has no version of this
     * number, or another version of this number. True if the version is too old to have a mark.
     *
     * @param mark 0 accepts any mark
     */
    boolean follow(long base, long mark) {
        long age = version - base;
        if (age < 0) {
            return false;
        }
        return mark == 0 || age >= marks.length || marks[(int) age] == mark;
    }

    /** The mark as Redis stores it; empty for 0. */
    static byte[] bytes(long mark) {
        return mark == 0
                ? new byte[0]
                : ByteBuffer.allocate(Long.BYTES).putLong(mark).array();
    }
}
