package io.penstock.realm;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The users in a database. This realm uses two queries, each with the user's name as the only parameter. One query returns the password
 * hash, as {@link Passwords} makes it. The other query returns the roles, with one row for each role.
 *
 * <p>Each login takes connections from the data source, which should be a pool. This class needs the module {@code java.sql}. A server
 * without this realm runs without that module.
 */
public final class JdbcRealm implements Realm {
    private final DataSource source;
    private final String passwordQuery;
    private final String rolesQuery;
    private final Passwords passwords = new Passwords();

    /**
     * @param passwordQuery the query for the hash, such as {@code select password from users where name = ?}
     * @param rolesQuery the query for the roles, such as {@code select role from user_roles where name = ?}
     */
    public JdbcRealm(DataSource source, String passwordQuery, String rolesQuery) {
        this.source = Objects.requireNonNull(source);
        this.passwordQuery = Objects.requireNonNull(passwordQuery);
        this.rolesQuery = Objects.requireNonNull(rolesQuery);
    }

    @Override
    public @Nullable User authenticate(String name, String password) throws SQLException {
        String hash;
        try (Connection connection = source.getConnection()) {
            hash = password(connection, name);
        }
        // The connection is closed before the hashing, because hashing takes long.
        if (!passwords.matches(password, hash)) {
            return null;
        }
        try (Connection connection = source.getConnection()) {
            return new User(name, roles(connection, name));
        }
    }

    private @Nullable String password(Connection connection, String name) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(passwordQuery)) {
            query.setString(1, name);
            try (ResultSet rows = query.executeQuery()) {
                String found = rows.next() ? rows.getString(1) : null;
                if (rows.next()) {
                    throw new SQLException("more than one user has that name");
                }
                return found;
            }
        }
    }

    private Set<String> roles(Connection connection, String name) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(rolesQuery)) {
            query.setString(1, name);
            try (ResultSet rows = query.executeQuery()) {
                Set<String> roles = new HashSet<>();
                while (rows.next()) {
                    String role = rows.getString(1);
                    if (role != null) {
                        roles.add(role);
                    }
                }
                return roles;
            }
        }
    }
}
