package io.penstock.environment;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code data-source} of a descriptor, or a {@code @DataSourceDefinition}: the address of a database, and the pool of its connections.
 * Absent values are null.
 *
 * @param name the name, relative to {@code java:comp/env} unless it begins with {@code java:}
 * @param className the name of a {@code javax.sql.DataSource} or {@code java.sql.Driver} class; null if the URL suffices
 * @param properties the properties of the {@code className} class or of the JDBC driver
 * @param pool the settings of the pool
 * @param at the location of the declaration, for messages
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

    /** Omits the password, because this text can be logged. */
    @Override
    public String toString() {
        return "data source " + name + " (" + at + ")";
    }

    /**
     * The settings of a pool.
     *
     * @param minimum the number of connections that stay open even if they are unused
     * @param maximum the most open connections at one time
     * @param maxIdleSeconds the seconds after which an unused connection is closed
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
