package io.penstock.session.jdbc;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.testing.PostgresServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures the calls of a session store per second, with PostgreSQL on this machine. Prints the results. Each thread has its own sessions.
 * A session has ten attributes of 100 bytes. A save writes one of these attributes.
 *
 * <p>The arguments are the number of threads, and the number of seconds for each kind of call.
 */
public final class StoreCost {
    private static final int SESSIONS = 100;
    private static final int ATTRIBUTES = 10;
    private static final int SIZE = 100;

    private StoreCost() {}

    /** A call for a session. It returns the version of the session after the call. */
    private interface Step {
        long run(SessionKey key, long version) throws IOException;
    }

    public static void main(String[] arguments) throws Exception {
        int threads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1;
        long nanos = (arguments.length > 1 ? Long.parseLong(arguments[1]) : 5) * 1_000_000_000;
        try (PostgresServer server = PostgresServer.start();
                JdbcSessions stores = JdbcSessions.open(Postgres.location(server))) {
            JdbcStore store = (JdbcStore) stores.of("/app");
            Saving transaction = new SaveByTransaction(JdbcOptions.Conflict.LAST_WINS);
            Step load = (key, version) -> store.load(key, 0).orElseThrow().version();
            Step save = (key, version) -> store.save(change(key, version, 1)).orElseThrow();
            Step saveByTransaction = (key, version) -> stores.database()
                    .call(call -> transaction.save(call, "/app", change(key, version, 1)))
                    .orElseThrow();
            Step confirm =
                    (key, version) -> store.load(key, version).orElseThrow().version();
            Step touch = (key, version) -> {
                store.touch(key, Change.NOW.plusNanos(System.nanoTime()));
                return version;
            };
            measure("warm-up", load, store, threads, nanos);
            measure("load", load, store, threads, nanos);
            measure("load of a known version", confirm, store, threads, nanos);
            measure("touch", touch, store, threads, nanos);
            measure("save by a statement", save, store, threads, nanos);
            measure("save by a transaction", saveByTransaction, store, threads, nanos);
        }
    }

    private static SessionChange change(SessionKey key, long base, int attributes) {
        Map<String, byte[]> written = new HashMap<>();
        for (int i = 0; i < attributes; i++) {
            byte[] bytes = new byte[SIZE];
            bytes[0] = (byte) base;
            written.put("attribute" + i, bytes);
        }
        return new SessionChange(key, key, base, Change.NOW, Change.NOW, 1800, written, Set.of());
    }

    private static void measure(String what, Step step, JdbcStore store, int threads, long nanos) throws Exception {
        List<Callable<Long>> jobs = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String prefix = what + i;
            jobs.add(() -> calls(prefix, step, store, nanos));
        }
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long calls = 0;
            for (Future<Long> done : pool.invokeAll(jobs)) {
                calls += done.get();
            }
            System.out.printf("%s: %,.0f a second%n", what, calls * 1e9 / nanos);
        } finally {
            pool.shutdownNow();
        }
    }

    private static long calls(String prefix, Step step, JdbcStore store, long nanos) throws IOException {
        SessionKey[] keys = new SessionKey[SESSIONS];
        long[] versions = new long[SESSIONS];
        for (int i = 0; i < SESSIONS; i++) {
            keys[i] = SessionKey.of(prefix + i);
            versions[i] = store.save(change(keys[i], 0, ATTRIBUTES)).orElseThrow();
        }
        long end = System.nanoTime() + nanos;
        long calls = 0;
        while (System.nanoTime() < end) {
            int i = (int) (calls++ % SESSIONS);
            versions[i] = step.run(keys[i], versions[i]);
        }
        return calls;
    }
}
