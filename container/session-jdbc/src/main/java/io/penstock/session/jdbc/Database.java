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
        /** The first connection checks the tables. Several connections may do so at once. */
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
     * The whole work shares one connection and one time-out. Each of its statements is a transaction, except in {@link Call#transaction}.
     */
    <T> T call(Work<T> work) throws IOException {
        long deadline = System.nanoTime() + options.timeout().toNanos();
        try (Connection connection = source.getConnection()) {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
            Call call = new Call(connection, dialect, deadline);
            call.boundReads();
            requireTables(connection);
            return work.with(call);
        } catch (SQLException e) {
            throw SqlFailure.of(e);
        }
    }

    /**
     * Checks the tables once, and creates them if they are missing.
     *
     * @param connection with auto-commit
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
