package io.penstock.session.jdbc;

import io.penstock.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a {@link SQLException} means that the database is unavailable, or that one session has a problem. The decision depends on
 * the SQLSTATE and on the class of the exception.
 */
final class SqlFailure {
    private static final String LOGIN = "28";

    /**
     * The codes for a database user without the right to use the tables. This failure affects all sessions. The first code is PostgreSQL's,
     * the second code is H2's.
     */
    private static final List<String> RIGHTS = List.of("42501", "90096");

    /**
     * The beginnings of codes that mean an unavailable database. 08: connection failure. 53: missing resources, for example too many
     * connections or a full disk. 57P: PostgreSQL is stopping or starting. 57014: a statement took too long and was canceled. 25006: the
     * database is read-only, for example a standby. 28: login failure.
     */
    private static final List<String> UNAVAILABLE = List.of("08", "53", "57P", "57014", "25006", LOGIN);

    /**
     * The codes for a wait for a lock that took too long, because another transaction changes the session. The first code is PostgreSQL's,
     * the second code is H2's.
     */
    private static final List<String> LOCKED = List.of("55P03", "HYT00");

    /**
     * The codes for a violated constraint: the standard code for all constraints, and the code of PostgreSQL, H2 and DB2 for unique
     * constraints.
     */
    private static final List<String> DUPLICATE = List.of("23000", "23505");

    private SqlFailure() {}

    static IOException of(SQLException e) {
        if (e.getCause() instanceof InterruptedException) {
            InterruptedIOException interrupted =
                    new InterruptedIOException("interrupted in a wait for a connection to the database");
            interrupted.initCause(e);
            return interrupted;
        }
        String state = state(e);
        if (isUnavailable(e, state) || RIGHTS.contains(state)) {
            return new StoreUnavailableException("the database cannot be used: " + line(e), e);
        }
        return new IOException("the database refuses the statement: " + line(e), e);
    }

    static boolean isUnavailable(SQLException e) {
        return isUnavailable(e, state(e));
    }

    /** Whether the database already has a row with the same key. */
    static boolean isDuplicate(SQLException e) {
        return DUPLICATE.contains(state(e));
    }

    /** Whether the database refuses the user or the password. */
    static boolean isLogin(SQLException e) {
        return state(e).startsWith(LOGIN);
    }

    private static boolean isUnavailable(SQLException e, String state) {
        if (LOCKED.contains(state)) {
            return false;
        }
        return UNAVAILABLE.stream().anyMatch(state::startsWith)
                || e instanceof SQLTransientConnectionException
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLRecoverableException
                || e instanceof SQLTimeoutException;
    }

    private static String state(SQLException e) {
        String state = e.getSQLState();
        return state == null ? "" : state.toUpperCase(Locale.ROOT);
    }

    /** The message as one line. The message of a connection pool does not contain the reason, so the message of the cause is added. */
    static String line(SQLException e) {
        Throwable cause = e.getCause();
        String text = firstLine(e.getMessage());
        return e instanceof SQLTransientConnectionException && cause != null
                ? text + ": " + firstLine(cause.getMessage())
                : text;
    }

    private static String firstLine(@Nullable String message) {
        return message == null || message.isBlank()
                ? "no reason given"
                : message.strip().lines().findFirst().orElse("").strip();
    }
}
