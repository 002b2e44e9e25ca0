package io.penstock.session.jdbc;

import java.time.Duration;

/**
 * How sessions are kept in a database. All servers with the same tables should have the same options.
 *
 * @param conflict what happens to a change of an attribute that another server has changed meanwhile
 * @param timeout the time that a call of the store may take, from {@link #SHORTEST} to {@link #LONGEST}
 * @param creation what happens if the tables are missing
 */
public record JdbcOptions(Conflict conflict, Duration timeout, Creation creation) {
    /** The shortest {@link #timeout}. */
    public static final Duration SHORTEST = Duration.ofMillis(500);

    /** The longest {@link #timeout}. */
    public static final Duration LONGEST = Duration.ofMinutes(1);

    /** What happens if two servers have changed the same attribute of a session. */
    public enum Conflict {
        /** The later change wins. */
        LAST_WINS,
        /** The whole later change is refused with a {@link io.penstock.store.StaleSessionException}. */
        REFUSE
    }

    /** What happens if the tables are missing when the store is opened. */
    public enum Creation {
        /** They are created. */
        IF_MISSING,
        /** The store is not opened. */
        NEVER
    }

    /** @throws IllegalArgumentException if the time is out of range */
    public JdbcOptions {
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("timeout must be from " + SHORTEST.toMillis() + "ms to "
                    + LONGEST.toSeconds() + "s, not " + timeout.toMillis() + "ms");
        }
    }

    /** The later change wins, a call takes two seconds at most, and missing tables are created. */
    public static JdbcOptions defaults() {
        return new JdbcOptions(Conflict.LAST_WINS, Duration.ofSeconds(2), Creation.IF_MISSING);
    }

    /** A copy with this rule for conflicts. */
    public JdbcOptions withConflict(Conflict other) {
        return new JdbcOptions(other, timeout, creation);
    }

    /** A copy with this time limit for each call. */
    public JdbcOptions withTimeout(Duration other) {
        return new JdbcOptions(conflict, other, creation);
    }

    /** A copy with this rule for missing tables. */
    public JdbcOptions withCreation(Creation other) {
        return new JdbcOptions(conflict, timeout, other);
    }
}
