package io.penstock.session.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs calls of session stores. Each call has its own connection and a time limit.
 *
 * <p>Thread: any. Owns: the connection pool, if there is one.
 */
final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    private final DataSource source;
    private final @Nullable HikariDataSource pool;
    private final Dialect dialect;
    private final JdbcOptions options;
    private volatile Schema schema = Schema.UNKNOWN;

    private enum Schema {
        /** The next call must check the tables. Several calls can check them at the same time. */
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

    /**
     * Runs the work with one connection and one time limit. Each statement of the work is a transaction, except inside {@link
     * Call#transaction}.
     */
    <T> T call(Work<T> work) throws IOException {
        long deadline = System.nanoTime() + options.timeout().toNanos();
        try (Connection connection = source.getConnection()) {
            return pool == null ? restoring(connection, work, deadline) : with(connection, work, deadline);
        } catch (SQLException e) {
            throw SqlFailure.of(e);
        }
    }

    private <T> T with(Connection connection, Work<T> work, long deadline) throws SQLException, IOException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
        Call call = new Call(connection, dialect, deadline);
        call.boundReads();
        requireTables(connection);
        return work.with(call);
    }

    /**
     * Runs the work, and restores the settings of the connection afterwards. The pool of a program may not restore them, and the next user of
     * the connection can be the program itself.
     */
    private <T> T restoring(Connection connection, Work<T> work, long deadline) throws SQLException, IOException {
        boolean autoCommit = connection.getAutoCommit();
        int networkTimeout = networkTimeout(connection);
        try {
            return with(connection, work, deadline);
        } finally {
            restore(connection, autoCommit, networkTimeout);
        }
    }

    /** The network time-out in milliseconds; -1 if the driver has none. */
    private static int networkTimeout(Connection connection) throws SQLException {
        try {
            return connection.getNetworkTimeout();
        } catch (SQLFeatureNotSupportedException e) {
            return -1;
        }
    }

    private static void restore(Connection connection, boolean autoCommit, int networkTimeout) {
        try {
            if (networkTimeout >= 0) {
                connection.setNetworkTimeout(Runnable::run, networkTimeout);
            }
            if (!autoCommit) {
                connection.setAutoCommit(false);
            }
        } catch (SQLException e) {
            LOG.debug("A connection has ended", e);
        }
    }

    /**
     * Checks the tables once, and creates them if they are missing.
     *
     * @param connection a connection with auto-commit
     */
    void requireTables(Connection connection) throws IOException {
        if (schema == Schema.UNKNOWN) {
            Tables.require(connection, dialect, options.creation());
            schema = Schema.CHECKED;
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
    }
}
