package io.penstock.session.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** The differences between databases. Thread: any. */
enum Dialect {
    /** PostgreSQL: changes a session by one statement, and the database enforces time-outs itself. */
    POSTGRESQL("bytea"),
    /** Standard SQL only. */
    STANDARD("blob");

    private final String bytes;

    Dialect(String bytes) {
        this.bytes = bytes;
    }

    static Dialect of(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL") ? POSTGRESQL : STANDARD;
    }

    static Dialect of(String url) {
        return url.startsWith("jdbc:postgresql:") ? POSTGRESQL : STANDARD;
    }

    /** The type of a column of bytes. */
    String bytes() {
        return bytes;
    }
}
