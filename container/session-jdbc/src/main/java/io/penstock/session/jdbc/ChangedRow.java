package io.penstock.session.jdbc;

import io.penstock.store.SessionChange;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A change of a session, as values for the rows of the {@link Tables}.
 *
 * @param due the expiry time after the change
 * @param written the written attributes, sorted by name; each name occurs once
 * @param removed the encoded names of the attributes whose rows are deleted
 */
record ChangedRow(
        long created, long accessed, long maxInactive, long due, List<Attribute> written, Set<String> removed) {
    private static final long MILLIS = 1000;

    /** A row of an attribute. */
    static final class Attribute {
        private final String name;
        private final byte @Nullable [] bytes;

        /** @param bytes the value; null if the row marks a removed attribute; {@link JdbcOptions.Conflict#REFUSE} needs these marks */
        private Attribute(String name, byte @Nullable [] bytes) {
            this.name = name;
            this.bytes = bytes;
        }

        static Attribute mark(String name) {
            return new Attribute(name, null);
        }

        String name() {
            return name;
        }

        byte @Nullable [] bytes() {
            return bytes;
        }
    }

    /** @throws IOException if a name is too long */
    static ChangedRow of(SessionChange change, JdbcOptions.Conflict conflict) throws IOException {
        List<Attribute> written = new ArrayList<>();
        for (var attribute : change.written().entrySet()) {
            written.add(new Attribute(column(attribute.getKey()), attribute.getValue()));
        }
        Set<String> removed = new TreeSet<>();
        for (String name : change.removed()) {
            if (change.written().containsKey(name)) {
                continue;
            }
            if (conflict == JdbcOptions.Conflict.REFUSE) {
                written.add(Attribute.mark(column(name)));
            } else {
                removed.add(column(name));
            }
        }
        written.sort(Comparator.comparing(Attribute::name));
        long accessed = millis(change.accessed());
        int maxInactive = change.maxInactiveSeconds();
        return new ChangedRow(
                millis(change.created()), accessed, maxInactive, due(accessed, maxInactive), written, removed);
    }

    /** The time at which a session expires. */
    static long due(long accessed, long maxInactive) {
        if (maxInactive <= 0) {
            return Tables.NEVER;
        }
        try {
            return Math.addExact(accessed, Math.multiplyExact(maxInactive, MILLIS));
        } catch (ArithmeticException e) {
            return Tables.NEVER;
        }
    }

    /** Limits a number of seconds to the range of {@code int}. */
    static int seconds(long maxInactive) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, maxInactive));
    }

    /** Converts a time to milliseconds. Extreme times are limited, so that the addition of an interval cannot overflow. */
    static long millis(Instant time) {
        long furthest = Long.MAX_VALUE / 2 / MILLIS;
        long seconds = time.getEpochSecond();
        if (Math.abs(seconds) > furthest) {
            return (seconds > 0 ? furthest : -furthest) * MILLIS;
        }
        return time.toEpochMilli();
    }

    private static String column(String attribute) throws IOException {
        String name = AsciiText.encode(attribute);
        if (name.length() > Tables.LONGEST_NAME) {
            throw new IOException("the name of an attribute needs " + name.length()
                    + " characters in the database, which stores " + Tables.LONGEST_NAME + ": " + name.substring(0, 40)
                    + "...");
        }
        return name;
    }
}
