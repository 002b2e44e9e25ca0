package io.penstock.session.redis;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;

/**
 * Measures the cost of a request in Redis on this machine: the processor time of Redis, and the commands that Redis runs, including the
 * commands within scripts. A session has one attribute of 1,024 bytes, and one attribute that requests change.
 *
 * <p>The arguments are the number of requests, and the number of threads.
 */
public final class StoreCost {
    private static final int SESSIONS_OF_THREAD = 4;

    private StoreCost() {}

    private static final class Session {
        private final SessionKey key;
        private long version;
        private long mark;

        private Session(SessionKey key) {
            this.key = key;
        }
    }

    /** A request that uses a session. */
    private interface Request {
        void run(SessionStore store, Session session) throws IOException;
    }

    public static void main(String[] arguments) throws Exception {
        int requests = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200_000;
        int threads = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 16;
        try (RedisServer redis = RedisServer.start();
                Jedis jedis = new Jedis("127.0.0.1", redis.port());
                SessionStores stores = RedisSessions.open(
                        "redis://127.0.0.1:" + redis.port() + "?timeout=60s&connections=" + threads)) {
            SessionStore store = stores.of("/");
            List<List<Session>> sessions = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                List<Session> ofThread = new ArrayList<>();
                for (int i = 0; i < SESSIONS_OF_THREAD; i++) {
                    Session session = new Session(SessionKey.of(thread + " " + i));
                    save(store, session, Map.of("large", new byte[1024], "\0id", new byte[22], "count", new byte[80]));
                    ofThread.add(session);
                }
                sessions.add(ofThread);
            }
            Request reads = (at, session) -> at.load(session.key, session.version);
            Request reloads = (at, session) -> at.load(session.key, 0);
            Request touches = (at, session) -> at.touch(session.key, Instant.now());
            Request saves = (at, session) -> save(at, session, Map.of("count", new byte[80]));
            Request both = (at, session) -> {
                reads.run(at, session);
                saves.run(at, session);
            };
            run(both, requests / 4, store, sessions);
            measure("reads and changes", both, requests, jedis, store, sessions);
            measure("reads", reads, requests, jedis, store, sessions);
            measure("changes", saves, requests, jedis, store, sessions);
            measure("reads uncached sessions", reloads, requests, jedis, store, sessions);
            measure("writes the time of last use", touches, requests, jedis, store, sessions);
        }
    }

    private static void save(SessionStore store, Session session, Map<String, byte[]> written) throws IOException {
        Instant now = Instant.now();
        long mark = SessionChange.newMark();
        session.version = store.save(new SessionChange(
                        session.key,
                        session.key,
                        session.version,
                        session.mark,
                        mark,
                        now,
                        now,
                        1800,
                        false,
                        written,
                        Set.of()))
                .orElseThrow();
        session.mark = mark;
    }

    private static void measure(
            String what, Request request, int requests, Jedis jedis, SessionStore store, List<List<Session>> sessions)
            throws Exception {
        jedis.configResetStat();
        double before = processorSeconds(jedis);
        run(request, requests, store, sessions);
        double micros = (processorSeconds(jedis) - before) * 1e6 / requests;
        StringBuilder commands = new StringBuilder();
        Matcher counted =
                Pattern.compile("cmdstat_([a-z]+):calls=(\\d+),usec=(\\d+)").matcher(jedis.info("commandstats"));
        while (counted.find()) {
            double calls = Double.parseDouble(counted.group(2)) / requests;
            if (calls > 0.01) {
                commands.append(String.format(
                        Locale.ROOT,
                        ", %s %.2f (%.1f µs)",
                        counted.group(1),
                        calls,
                        Double.parseDouble(counted.group(3)) / requests));
            }
        }
        System.out.printf(Locale.ROOT, "%-30s %5.1f µs of processor time%s%n", what, micros, commands);
    }

    private static double processorSeconds(Jedis jedis) {
        Matcher used = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)").matcher(jedis.info("cpu"));
        double seconds = 0;
        while (used.find()) {
            seconds += Double.parseDouble(used.group(1));
        }
        return seconds;
    }

    private static void run(Request request, int requests, SessionStore store, List<List<Session>> sessions)
            throws Exception {
        List<Callable<Void>> jobs = new ArrayList<>();
        for (List<Session> ofThread : sessions) {
            jobs.add(() -> {
                for (int i = 0; i < requests / sessions.size(); i++) {
                    request.run(store, ofThread.get(i % ofThread.size()));
                }
                return null;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(jobs.size());
        try {
            for (Future<Void> job : threads.invokeAll(jobs)) {
                job.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
