package io.penstock.environment;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code data-source} of a descriptor or a {@code @DataSourceDefinition}: where a database is, and how its connections are pooled.
 * What is not said is null.
 *
 * @param name relative to {@code java:comp/env} unless it begins with {@code java:}
 * @param className of a {@code javax.sql.DataSource} or a {@code java.sql.Driver}; null if the URL says enough
 * @param properties of that class, or of the driver
 * @param pool how many connections are kept, and how
 * @param at where it is declared, for messages
 */
@SuppressWarnings("exports") // who compiles against this needs no annotation for null
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

    /** Passwords stay out of logs. */
    @Override
    public String toString() {
        return "data source " + name + " (" + at + ")";
    }

    /**
     * How connections are kept.
     *
     * @param minimum connections that stay open though nobody uses them
     * @param maximum connections open at one time
     * @param maxIdleSeconds after which a connection that nobody uses is closed
     * @param isolation a constant's name of {@code java.sql.Connection}, such as {@code TRANSACTION_READ_COMMITTED}
     */
    public record Pool(
            @Nullable Integer minimum,
            @Nullable Integer maximum,
            @Nullable Integer maxIdleSeconds,
            @Nullable String isolation) {

        public static final Pool UNSAID = new Pool(null, null, null, null);
    }
}
