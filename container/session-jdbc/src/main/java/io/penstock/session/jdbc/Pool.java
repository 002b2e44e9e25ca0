package io.penstock.session.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;

/** Creates the connection pool of a server. The pool opens a connection when a call needs one. */
final class Pool {
    private static final String NAME = "penstock-sessions";

    /** The shortest validation time-out that HikariCP accepts, in milliseconds. */
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
     * The statements that set the time-outs of PostgreSQL. PostgreSQL ends the transaction of a paused server, and so unlocks the session
     * for other servers. The time-out for locks is shorter than the time-out for statements. Otherwise, a locked session would look like an
     * unavailable database.
     */
    private static String bounds(long millis) {
        return "set lock_timeout = " + millis / 2 + "; set statement_timeout = " + millis
                + "; set idle_in_transaction_session_timeout = " + millis;
    }

    /**
     * Creates the threads of the pool. A thread of an application can cause the start of a pool thread, but the pool thread must not
     * reference the class loader of the application. So the pool thread gets the class loader of the container.
     */
    private static ThreadFactory threads() {
        return task -> {
            Thread thread = new Thread(task, NAME);
            thread.setDaemon(true);
            thread.setContextClassLoader(Pool.class.getClassLoader());
            return thread;
        };
    }
}
