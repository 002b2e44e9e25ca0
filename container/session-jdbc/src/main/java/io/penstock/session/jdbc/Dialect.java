package io.penstock.session.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** The differences between databases. Thread: any. */
enum Dialect {
    /** PostgreSQL. One statement changes a session. The database itself enforces the time-outs. */
    POSTGRESQL("bytea"),
    /** Any other database. Only standard SQL is used. */
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

    /** The SQL type of a column with bytes. */
    String bytes() {
        return bytes;
    }
}
