package io.penstock.session.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * One call of a store: a connection and a deadline. Each statement gets the remaining time.
 *
 * <p>Thread: one.
 */
final class Call {
    private final Connection connection;
    private final Dialect dialect;
    private final long deadline;

    /** @param deadline as {@link System#nanoTime} */
    Call(Connection connection, Dialect dialect, long deadline) {
        this.connection = connection;
        this.dialect = dialect;
        this.deadline = deadline;
    }

    Connection connection() {
        return connection;
    }

    PreparedStatement prepare(String sql) throws SQLException {
        return bounded(connection.prepareStatement(sql));
    }

    /** @param generated the column whose value the database chooses */
    PreparedStatement prepare(String sql, String generated) throws SQLException {
        return bounded(connection.prepareStatement(sql, new String[] {generated}));
    }

    private PreparedStatement bounded(PreparedStatement statement) throws SQLException {
        try {
            long millis = boundReads();
            if (dialect == Dialect.STANDARD) {
                statement.setQueryTimeout((int) (millis / 1000) + 1);
            } // PostgreSQL has statement_timeout, which needs neither a timer nor a second connection
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    /** Limits the next wait for the database to the remaining time, and returns that time. */
    long boundReads() throws SQLException {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (millis <= 0) {
            throw new SQLTimeoutException("the call has taken longer than its timeout");
        }
        try {
            connection.setNetworkTimeout(Runnable::run, (int) millis);
        } catch (SQLFeatureNotSupportedException e) {
            return millis; // the driver has no network time-out; the statement's time-out still applies
        }
        return millis;
    }

    /** Steps of one transaction. */
    interface Steps<T> {
        T run() throws SQLException, IOException;
    }

    /** Runs the steps as one transaction: they have no effect if one of them fails. */
    <T> T transaction(Steps<T> steps) throws SQLException, IOException {
        connection.setAutoCommit(false);
        T result;
        try {
            result = steps.run();
            boundReads();
            connection.commit();
        } catch (SQLException | IOException | RuntimeException | Error e) {
            rollBack(e);
            throw e;
        }
        connection.setAutoCommit(true);
        return result;
    }

    private void rollBack(Throwable reason) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            reason.addSuppressed(e); // the database rolls back when it notices the end of the connection
        }
    }
}
