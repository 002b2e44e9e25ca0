package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests a data source of the program, whose pool does not restore the settings of a connection. The pool has one connection. H2 has no
 * network time-out, so the test keeps its value.
 */
class GivenDataSourceTest {
    private static final int OF_PROGRAM = 77_000;

    /** The result of a proxy for a method that it does not change. */
    private static final Object UNCHANGED = new Object();

    private Connection only;
    private int networkTimeout = OF_PROGRAM;
    private final List<Integer> timeouts = new ArrayList<>();

    @BeforeEach
    void connect() throws SQLException {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        only = h2.getConnection();
        only.setAutoCommit(false);
    }

    @AfterEach
    void end() throws SQLException {
        only.close();
    }

    private DataSource source() {
        return proxy(DataSource.class, (method, arguments) -> switch (method) {
            case "getConnection" -> connection();
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private Connection connection() {
        return proxy(Connection.class, (method, arguments) -> switch (method) {
            case "close" -> null;
            case "getNetworkTimeout" -> networkTimeout;
            case "setNetworkTimeout" -> {
                networkTimeout = (Integer) arguments[1];
                timeouts.add(networkTimeout);
                yield null;
            }
            default -> UNCHANGED;
        });
    }

    @FunctionalInterface
    private interface Own {
        Object call(String method, Object[] arguments);
    }

    private <T> T proxy(Class<T> type, Own own) {
        return type.cast(Proxy.newProxyInstance(
                GivenDataSourceTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result = own.call(method.getName(), arguments);
                    try {
                        return result == UNCHANGED ? method.invoke(only, arguments) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void assertAsBefore() throws SQLException {
        assertEquals(OF_PROGRAM, networkTimeout);
        assertFalse(only.getAutoCommit());
    }

    @Test
    void theConnectionHasItsFormerSettingsAfterEachCall() throws Exception {
        JdbcOptions options = JdbcOptions.defaults().withTimeout(Duration.ofSeconds(60));
        SessionStore store = JdbcSessions.open(source(), options).of("/app");
        assertAsBefore();
        SessionKey key = SessionKey.of("1");
        assertEquals(OptionalLong.of(1), store.save(Change.set(key, 0, "name", "Ada")));
        assertTrue(timeouts.stream().anyMatch(timeout -> timeout <= 60_000), "the calls have no time-out");
        assertAsBefore();
        assertTrue(store.load(key, 0).isPresent());
        assertAsBefore();
        assertThrows(IOException.class, () -> store.save(Change.set(key, 0, "name", "Ada")));
        assertAsBefore();
    }
}
