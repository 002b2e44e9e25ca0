package io.penstock.session.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * One call of a session store. A call has a connection and a deadline. The time limit of each statement is the remaining time of the call.
 *
 * <p>Thread: one.
 */
final class Call {
    private final Connection connection;
    private final Dialect dialect;
    private final long deadline;

    /** @param deadline the end of the call, as a value of {@link System#nanoTime} */
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

    /** @param generated the column whose value the database generates */
    PreparedStatement prepare(String sql, String generated) throws SQLException {
        return bounded(connection.prepareStatement(sql, new String[] {generated}));
    }

    private PreparedStatement bounded(PreparedStatement statement) throws SQLException {
        try {
            long millis = boundReads();
            if (dialect == Dialect.STANDARD) {
                statement.setQueryTimeout((int) (millis / 1000) + 1);
            } // for PostgreSQL, Pool sets statement_timeout
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    /** Limits the next wait for the database to the remaining time of the call. Returns the remaining milliseconds. */
    long boundReads() throws SQLException {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (millis <= 0) {
            throw new SQLTimeoutException("the call has taken longer than its timeout");
        }
        try {
            connection.setNetworkTimeout(Runnable::run, (int) millis);
        } catch (SQLFeatureNotSupportedException e) {
            // The driver has no network time-out. The time-out of the statement applies instead.
            return millis;
        }
        return millis;
    }

    /** The steps of one transaction. */
    interface Steps<T> {
        T run() throws SQLException, IOException;
    }

    /** Runs the steps as one transaction. If a step fails, no step has an effect. */
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
            // The database rolls back when it notices the end of the connection.
            reason.addSuppressed(e);
        }
    }
}
