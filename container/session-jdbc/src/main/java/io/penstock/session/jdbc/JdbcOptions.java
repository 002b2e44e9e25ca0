package io.penstock.session.jdbc;

import java.time.Duration;

/**
 * Options for sessions in a database. All servers with the same tables should have the same options.
 *
 * @param conflict the rule for a change of an attribute that another server has changed at the same time
 * @param timeout the longest time of one call of the store, from {@link #SHORTEST} to {@link #LONGEST}
 * @param creation the rule for missing tables
 */
public record JdbcOptions(Conflict conflict, Duration timeout, Creation creation) {
    /** The shortest {@link #timeout}. */
    public static final Duration SHORTEST = Duration.ofMillis(500);

    /** The longest {@link #timeout}. */
    public static final Duration LONGEST = Duration.ofMinutes(1);

    /** The rule for two servers that have changed the same attribute of a session. */
    public enum Conflict {
        /** The later change replaces the earlier change. */
        LAST_WINS,
        /** The whole later change is refused with a {@link io.penstock.store.StaleSessionException}. */
        REFUSE
    }

    /** The rule for missing tables when the store is opened. */
    public enum Creation {
        /** Missing tables are created. */
        IF_MISSING,
        /** If tables are missing, the store is not opened. */
        NEVER
    }

    /** @throws IllegalArgumentException if {@code timeout} is out of range */
    public JdbcOptions {
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("timeout must be from " + SHORTEST.toMillis() + "ms to "
                    + LONGEST.toSeconds() + "s, not " + timeout.toMillis() + "ms");
        }
    }

    /** The default options: {@link Conflict#LAST_WINS}, a call takes at most two seconds, and missing tables are created. */
    public static JdbcOptions defaults() {
        return new JdbcOptions(Conflict.LAST_WINS, Duration.ofSeconds(2), Creation.IF_MISSING);
    }

    /** Returns a copy with a different rule for conflicts. */
    public JdbcOptions withConflict(Conflict other) {
        return new JdbcOptions(other, timeout, creation);
    }

    /** Returns a copy with a different time limit for each call. */
    public JdbcOptions withTimeout(Duration other) {
        return new JdbcOptions(conflict, other, creation);
    }

    /** Returns a copy with a different rule for missing tables. */
    public JdbcOptions withCreation(Creation other) {
        return new JdbcOptions(conflict, timeout, other);
    }
}
