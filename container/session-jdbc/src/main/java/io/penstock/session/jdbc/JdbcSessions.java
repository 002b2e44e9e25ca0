package io.penstock.session.jdbc;

import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.store.StoreUnavailableException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * <p>The server closes the session stores at its end.
 *
 * <p>Thread: any. Owns: the connection pool, if the stores were opened by a URL.
 */
public final class JdbcSessions implements SessionStores {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcSessions.class);

    private final Database database;

    private JdbcSessions(Database database) {
        this.database = database;
    }

    /**
     * Opens the session stores by a URL, with a connection pool. If the database cannot be reached, a warning is logged. The tables are
     * then checked at the first successful connection.
     *
     * @param location a JDBC URL; options can follow after {@code #}, as in the value of {@code session-store}
     * @throws IOException if the stores cannot be opened; the message is one line with the reason, without a password
     */
    public static JdbcSessions open(String location) throws IOException {
        Location parsed = Location.parse(location, System.getenv());
        DataSource source = ServerDriver.source(parsed);
        Dialect dialect = Dialect.of(parsed.url());
        Database database = Database.of(Pool.of(source, dialect, parsed), dialect, parsed.options());
        try {
            check(source, database);
        } catch (IOException | RuntimeException e) {
            database.close();
            throw e;
        }
        return new JdbcSessions(database);
    }

    /** Checks the tables without the pool. With a wrong password, for example, the pool would try to connect until its time-out. */
    private static void check(DataSource source, Database database) throws IOException {
        try (Connection connection = source.getConnection()) {
            database.requireTables(connection);
        } catch (SQLException e) {
            IOException failure = SqlFailure.of(e);
            if (SqlFailure.isLogin(e) || !(failure instanceof StoreUnavailableException)) {
                throw failure;
            }
            warn(failure);
        } catch (StoreUnavailableException e) {
            warn(e);
        }
    }

    private static void warn(IOException e) {
        LOG.warn("{}. Until it can be used, requests that need a session are answered 503", e.getMessage());
    }

    /**
     * Opens the session stores with a data source of the program. The data source must limit the wait for a connection. Its connections
     * must have the isolation level READ COMMITTED. The program must close the data source after the end of the server.
     *
     * @throws IOException if the stores cannot be opened, for example because the database cannot be reached; the message is one line
     */
    public static JdbcSessions open(DataSource source, JdbcOptions options) throws IOException {
        try (Connection connection = source.getConnection()) {
            if (connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
                throw new IOException("the connections of the data source are not READ COMMITTED");
            }
            Database database = Database.of(source, Dialect.of(connection), options);
            boolean autoCommit = connection.getAutoCommit();
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            database.requireTables(connection);
            if (!autoCommit) {
                connection.setAutoCommit(false);
            }
            return new JdbcSessions(database);
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
            throw new IOException("the context path " + contextPath + " is too long for the database");
        }
        return new JdbcStore(database, application);
    }

    @Override
    public void close() {
        database.close();
    }
}
