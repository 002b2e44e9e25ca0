package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.realm.JdbcRealm;
import io.penstock.realm.Passwords;
import io.penstock.realm.Realm;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a realm that reads its users, passwords and roles from a database. */
class JdbcRealmTest {
    private static final String ANN = "Authorization: Basic YW5uOnNlY3JldA==";

    private final JdbcDataSource source = new JdbcDataSource();

    @BeforeEach
    void fill() throws SQLException {
        source.setURL("jdbc:h2:mem:realm;DB_CLOSE_DELAY=-1");
        execute("drop all objects");
        execute("create table users (name varchar(50), password varchar(300))");
        execute("create table user_roles (name varchar(50), role varchar(50))");
        add("ann", Passwords.hash("secret"), "staff", "admin");
        add("bob", Passwords.hash("other"));
        add("eve", "plain text");
        add("joe", null);
        add("two", Passwords.hash("one"));
        add("two", Passwords.hash("two"));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void add(String name, String password, String... roles) throws SQLException {
        insert("insert into users values (?, ?)", name, password);
        for (String role : roles) {
            insert("insert into user_roles values (?, ?)", name, role);
        }
    }

    private void insert(String sql, String name, String value) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.setString(2, value);
            statement.executeUpdate();
        }
    }

    private JdbcRealm realm() {
        return new JdbcRealm(
                source, "select password from users where name = ?", "select role from user_roles where name = ?");
    }

    @Test
    void theRealmReadsPasswordsAndRolesFromTheDatabase() throws Exception {
        JdbcRealm realm = realm();
        assertEquals(new Realm.User("ann", Set.of("staff", "admin")), realm.authenticate("ann", "secret"));
        assertEquals(new Realm.User("bob", Set.of()), realm.authenticate("bob", "other"));
        assertNull(realm.authenticate("ann", "other"));
        assertNull(realm.authenticate("nobody", "secret"));
        assertNull(realm.authenticate("joe", ""));
        assertNull(realm.authenticate("ann' or '1'='1", "secret"));
    }

    @Test
    void authenticateThrowsAnExceptionForAnInvalidHashOrADuplicateUser() {
        JdbcRealm realm = realm();
        assertThrows(IllegalArgumentException.class, () -> realm.authenticate("eve", "plain text"));
        assertThrows(SQLException.class, () -> realm.authenticate("two", "one"));
    }

    @Test
    void theRemovalOfARoleOrUserTakesEffectImmediately() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(realm())
                .context("/", context -> context.servlet("staff", new WhoServlet(), "/staff")
                        .constrain("/staff", "staff")
                        .basicLogin("office"))
                .start()) {
            assertEquals(200, RawExchange.get(server, "/staff", ANN).status());
            execute("delete from user_roles where role = 'staff'");
            assertEquals(403, RawExchange.get(server, "/staff", ANN).status());
            execute("delete from users where name = 'ann'");
            assertEquals(401, RawExchange.get(server, "/staff", ANN).status());
            execute("drop table users");
            assertEquals(500, RawExchange.get(server, "/staff", ANN).status());
        }
    }
}
