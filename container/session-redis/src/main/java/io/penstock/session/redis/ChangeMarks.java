package io.penstock.session.redis;

import java.nio.ByteBuffer;

/**
 * The marks of a session's latest changes, the newest first. A mark is a number that identifies a change; each mark belongs to a version.
 * Together, the marks show the recent versions of the session. Redis stores the marks in the field {@code recent}.
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
     * Whether the session has had the version {@code base} with this mark. The result is false if Redis has lost this version. In that
     * case, Redis has no version with this number, or a version with a different mark. The result is true if the version is too old to have
     * a mark.
     *
     * @param mark the mark of the version; 0 means any mark
     */
    boolean follow(long base, long mark) {
        long age = version - base;
        if (age < 0) {
            return false;
        }
        return mark == 0 || age >= marks.length || marks[(int) age] == mark;
    }

    /** The bytes of a mark in Redis; empty for 0. */
    static byte[] bytes(long mark) {
        return mark == 0
                ? new byte[0]
                : ByteBuffer.allocate(Long.BYTES).putLong(mark).array();
    }
}
