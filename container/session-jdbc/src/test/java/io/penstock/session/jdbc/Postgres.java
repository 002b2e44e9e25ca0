package io.penstock.session.jdbc;

import io.penstock.testing.PostgresServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Creates stores for the PostgreSQL server of a test, and connections for the SQL statements of the test. */
final class Postgres {
    private Postgres() {}

    /** Returns a value of the setting {@code session-store}, with user and password. */
    static String location(PostgresServer server) {
        return server.url() + "?user=" + PostgresServer.USER + "&password="
                + URLEncoder.encode(PostgresServer.PASSWORD, StandardCharsets.UTF_8);
    }

    /** Opens the store of an application. The store has its own connections. */
    static JdbcStore store(PostgresServer server, String options) throws IOException {
        return (JdbcStore) JdbcSessions.open(location(server) + options).of("/app");
    }

    static Connection connect(PostgresServer server) throws SQLException {
        return DriverManager.getConnection(server.url(), PostgresServer.USER, PostgresServer.PASSWORD);
    }

    static void execute(PostgresServer server, String... statements) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
