package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.store.SessionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Opens the session stores of several servers at the same time. All stores use one database. */
final class StartAtOnce {
    private static final int SERVERS = 6;
    static final int REPETITIONS = 5;

    private StartAtOnce() {}

    /** Opens the stores of six servers at the same time. The first call of each store must succeed. */
    static void open(String location) throws Exception {
        List<Callable<OptionalLong>> servers = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            SessionKey key = SessionKey.of(Integer.toString(i));
            servers.add(() -> {
                try (JdbcSessions stores = JdbcSessions.open(location)) {
                    return stores.of("/app").save(Change.set(key, 0, "name", "Ada"));
                }
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(SERVERS);
        try {
            for (Future<OptionalLong> saved : threads.invokeAll(servers)) {
                assertEquals(OptionalLong.of(1), saved.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
