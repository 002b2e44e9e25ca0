package io.penstock.session.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls of stores, each with a connection of its own and within the time-out.
 *
 * <p>Thread: any. Owns: the pool, if there is one.
 */
final class Database implements AutoCloseable {
    private final DataSource source;
    private final @Nullable HikariDataSource pool;
    private final Dialect dialect;
    private final JdbcOptions options;
    private volatile Schema schema = Schema.UNKNOWN;

    private enum Schema {
        /** The first connection checks the tables; several may do so at once. */
        UNKNOWN,
        CHECKED
    }

    /** The work of one call. */
    interface Work<T> {
        T with(Call call) throws SQLException, IOException;
    }

    private Database(DataSource source, @Nullable HikariDataSource pool, Dialect dialect, JdbcOptions options) {
        this.source = source;
        this.pool = pool;
        this.dialect = dialect;
        this.options = options;
    }

    static Database of(DataSource given, Dialect dialect, JdbcOptions options) {
        return new Database(given, null, dialect, options);
    }

    static Database of(HikariDataSource pool, Dialect dialect, JdbcOptions options) {
        return new Database(pool, pool, dialect, options);
    }

    JdbcOptions options() {
        return options;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Each statement of the work is a transaction. */
    <T> T call(Work<T> work) throws IOException {
        long deadline = System.nanoTime() + options.timeout().toNanos();
        try (Connection connection = source.getConnection()) {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
            requireTables(connection);
            return work.with(new Call(connection, dialect, deadline));
        } catch (SQLException e) {
            throw SqlFailure.of(e);
        }
    }

    /**
     * Checks the tables, and creates them if they are missing, unless that has been done.
     *
     * @param connection with auto-commit
     */
    void requireTables(Connection connection) throws IOException {
        if (schema == Schema.UNKNOWN) {
            Tables.require(connection, dialect, options.creation());
            schema = Schema.CHECKED;
        }
    }

    /** The work is one transaction: it has no effect if it fails. */
    <T> T transaction(Work<T> work) throws IOException {
        return call(call -> {
            Connection connection = call.connection();
            connection.setAutoCommit(false);
            T result;
            try {
                result = work.with(call);
                call.commit();
            } catch (SQLException | IOException | RuntimeException | Error e) {
                rollBack(connection, e);
                throw e;
            }
            connection.setAutoCommit(true);
            return result;
        });
    }

    private static void rollBack(Connection connection, Throwable reason) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            reason.addSuppressed(e); // the database rolls back when it notices the end of the connection
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
    }
}
