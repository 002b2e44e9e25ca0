package io.penstock.naming;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.penstock.environment.DataSourceDefinition;
import io.penstock.environment.EnvironmentException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One data source of one application, with a pool of connections. The pool exists from the first use until the application ends. No
 * connection is opened before the first use, so an application can start while its database is down.
 *
 * <p>Thread: any. Owns: the pool, and the loader of the driver.
 *
 * <pre>DEFINED ──open──► OPEN ──close──► CLOSED ◄──close── DEFINED</pre>
 */
final class PooledSource implements AutoCloseable {
    private static final int CONNECTIONS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ConfiguredSource source;
    private final String application;
    private final ClassLoader loader;

    @GuardedBy("this")
    private State state = State.DEFINED;

    @GuardedBy("this")
    private @Nullable HikariDataSource pool;

    @GuardedBy("this")
    private @Nullable DriverLoader drivers;

    private enum State {
        DEFINED,
        OPEN,
        CLOSED
    }

    /** @param loader the class loader of the application, which can contain the driver */
    PooledSource(ConfiguredSource source, String application, ClassLoader loader) {
        this.source = source;
        this.application = application;
        this.loader = loader;
    }

    /**
     * Returns the pool. The first call creates the pool.
     *
     * @throws EnvironmentException if there is no driver, or if the definition is invalid
     */
    synchronized DataSource open() throws EnvironmentException {
        HikariDataSource open = pool;
        if (open != null) {
            return open;
        }
        DataSourceDefinition definition = source.definition();
        if (state == State.CLOSED) {
            throw new EnvironmentException(definition.at() + ": the data source '" + definition.name()
                    + "' is closed, since " + application + " has ended");
        }
        DriverLoader made = DriverLoader.of(source.jars(), loader);
        try {
            open = new HikariDataSource(config(definition, RawSource.of(definition, made)));
        } catch (EnvironmentException | RuntimeException e) {
            made.close();
            throw e instanceof EnvironmentException known
                    ? known
                    : new EnvironmentException(
                            definition.at() + ": the data source '" + definition.name() + "' cannot be opened: "
                                    + e.getMessage(),
                            e);
        }
        drivers = made;
        pool = open;
        state = State.OPEN;
        return open;
    }

    private HikariConfig config(DataSourceDefinition definition, DataSource raw) {
        DataSourceDefinition.Pool wanted = definition.pool();
        HikariConfig config = new HikariConfig();
        config.setDataSource(raw);
        config.setPoolName(application + " " + definition.name());
        int maximum = wanted.maximum() == null || wanted.maximum() == 0 ? CONNECTIONS : wanted.maximum();
        config.setMaximumPoolSize(maximum);
        config.setMinimumIdle(wanted.minimum() == null ? 0 : Math.min(wanted.minimum(), maximum));
        if (wanted.maxIdleSeconds() != null) {
            config.setIdleTimeout(Duration.ofSeconds(wanted.maxIdleSeconds()).toMillis());
        }
        config.setConnectionTimeout(
                definition.loginTimeoutSeconds() == null
                        ? PATIENCE.toMillis()
                        : Duration.ofSeconds(definition.loginTimeoutSeconds()).toMillis());
        config.setInitializationFailTimeout(-1);
        if (wanted.isolation() != null) {
            config.setTransactionIsolation(wanted.isolation());
        }
        return config;
    }

    @Override
    public synchronized void close() {
        state = State.CLOSED;
        HikariDataSource open = pool;
        pool = null;
        if (open != null) {
            open.close();
        }
        DriverLoader made = drivers;
        drivers = null;
        if (made != null) {
            made.close();
        }
    }
}
