package io.penstock.session.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Sessions in a database that several servers share: PostgreSQL, H2, and others with the documented tables.
 *
 * <pre>{@code
 * Penstock server = Penstock.builder()
 *         .sessions(JdbcSessions.open("jdbc:postgresql://db.example.org/shop?user=penstock#password-file=/run/secrets/db"))
 *         .war(Path.of("shop.war"))
 *         .start();
 * }</pre>
 *
 * <p>The server closes these stores at its end.
 *
 * <p>Thread: any. Owns: the pool of connections, unless the program has given a data source.
 */
public final class JdbcSessions implements SessionStores {
    private final Database database;

    private JdbcSessions(Database database) {
        this.database = database;
    }

    /**
     * Opens the tables by a URL, with a pool of connections.
     *
     * @param location a JDBC URL; behind a {@code #} there may be options, as {@code session-store} takes them
     * @throws IOException with one line that gives the reason, without a password
     */
    public static JdbcSessions open(String location) throws IOException {
        Location parsed = Location.parse(location, System.getenv());
        DriverSource source = DriverSource.of(parsed);
        Dialect dialect = check(source, parsed.options());
        HikariDataSource pool = Pool.of(source, dialect, parsed);
        return new JdbcSessions(Database.of(pool, dialect, parsed.options()));
    }

    /**
     * Opens the tables by a data source of the program, which bounds the wait for a connection, and closes the data source after the
     * server. Its connections must be READ COMMITTED.
     *
     * @throws IOException with one line that gives the reason
     */
    public static JdbcSessions open(DataSource source, JdbcOptions options) throws IOException {
        return new JdbcSessions(Database.of(source, check(source, options), options));
    }

    private static Dialect check(DataSource source, JdbcOptions options) throws IOException {
        try (Connection connection = source.getConnection()) {
            if (!(source instanceof DriverSource)
                    && connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
                throw new IOException("the connections of the data source are not READ COMMITTED");
            }
            Dialect dialect = Dialect.of(connection);
            Tables.require(connection, dialect, options.creation());
            return dialect;
        } catch (SQLException e) {
            throw SqlFailure.of(e);
        }
    }

    Database database() {
        return database;
    }

    @Override
    public SessionStore of(String contextPath) throws IOException {
        String application = AsciiText.encode(contextPath);
        if (application.length() > Tables.LONGEST_APPLICATION) {
            throw new IOException("the context path " + contextPath + " is longer than the database stores");
        }
        return new JdbcStore(database, application);
    }

    @Override
    public void close() {
        database.close();
    }
}
