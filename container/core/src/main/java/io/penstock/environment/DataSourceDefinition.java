package io.penstock.environment;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code data-source} of a descriptor or a {@code @DataSourceDefinition}: the place of a database, and the pool of its connections.
 * Absent values are null.
 *
 * @param name relative to {@code java:comp/env} unless it begins with {@code java:}
 * @param className of a {@code javax.sql.DataSource} or a {@code java.sql.Driver}; null if the URL suffices
 * @param properties for that class, or for the driver
 * @param pool the settings of the pool
 * @param at the place of its declaration, for messages
 */
@SuppressWarnings("exports") // programs that compile against this class do not need the null annotations
public record DataSourceDefinition(
        String name,
        @Nullable String className,
        @Nullable String url,
        @Nullable String serverName,
        @Nullable Integer portNumber,
        @Nullable String databaseName,
        @Nullable String user,
        @Nullable String password,
        @Nullable Integer loginTimeoutSeconds,
        Map<String, String> properties,
        Pool pool,
        String at) {

    public DataSourceDefinition {
        properties = Map.copyOf(properties);
    }

    /** Without passwords, which must not be logged. */
    @Override
    public String toString() {
        return "data source " + name + " (" + at + ")";
    }

    /**
     * The settings of a pool.
     *
     * @param minimum connections that stay open although they are unused
     * @param maximum connections open at one time
     * @param maxIdleSeconds after which an unused connection is closed
     * @param isolation the name of a constant of {@code java.sql.Connection}, such as {@code TRANSACTION_READ_COMMITTED}
     */
    public record Pool(
            @Nullable Integer minimum,
            @Nullable Integer maximum,
            @Nullable Integer maxIdleSeconds,
            @Nullable String isolation) {

        public static final Pool UNSAID = new Pool(null, null, null, null);
    }
}
