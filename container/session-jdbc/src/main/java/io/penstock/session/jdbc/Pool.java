package io.penstock.session.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;

/** Makes the pool of connections of a server. It opens connections as they are needed. */
final class Pool {
    private static final String NAME = "penstock-sessions";

    /** HikariCP's own lower bound. */
    private static final long SHORTEST_VALIDATION = 250;

    private Pool() {}

    static HikariDataSource of(DataSource source, Dialect dialect, Location location) {
        long millis = location.options().timeout().toMillis();
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setPoolName(NAME);
        config.setMaximumPoolSize(location.connections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(millis);
        config.setValidationTimeout(Math.max(SHORTEST_VALIDATION, millis / 4));
        config.setInitializationFailTimeout(-1);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setThreadFactory(threads());
        if (dialect == Dialect.POSTGRESQL) {
            config.setConnectionInitSql(bounds(millis));
        }
        return new HikariDataSource(config);
    }

    /**
     * PostgreSQL enforces the time-outs itself. It ends a transaction whose node is paused, and so frees the session for other nodes. The
     * time-out of locks is shorter than that of statements, so that a locked session is not mistaken for an unavailable database.
     */
    private static String bounds(long millis) {
        return "set lock_timeout = " + millis / 2 + "; set statement_timeout = " + millis
                + "; set idle_in_transaction_session_timeout = " + millis;
    }

    /** Any thread can make the pool start a thread. The new thread must not reference the class loader of an application. */
    private static ThreadFactory threads() {
        return task -> {
            Thread thread = new Thread(task, NAME);
            thread.setDaemon(true);
            thread.setContextClassLoader(Pool.class.getClassLoader());
            return thread;
        };
    }
}
