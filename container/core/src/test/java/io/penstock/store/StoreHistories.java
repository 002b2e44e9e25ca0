package io.penstock.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.AttributeTable.OfOneAttribute;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Runs random histories: sequences of random steps of three servers that share one store. After each step, the result of the store is
 * compared with the result of an {@link AttributeTable}. A server can change a session on the basis of an outdated copy, lose its copies,
 * change an id, or delete a session. A server can also stop between a search for expired sessions and their deletion. Two rules are checked
 * separately: a deleted session must not exist again, and at most one server may delete an expired session.
 */
public final class StoreHistories {
    private static final int SERVERS = 3;
    private static final List<String> NAMES = List.of("a", "b", "c", "\0id", "ä");
    private static final int[] SECONDS = {0, 60, 60, 600};
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration MAX_RESERVATION = Duration.ofMinutes(1);

    private final OfOneAttribute conflict;
    private final List<SessionStore> servers = new ArrayList<>();
    private Instant now = START.plusSeconds(10);

    /**
     * @param servers the stores of three servers. Each of the stores is opened separately, for the same database.
     * @throws IOException if a store cannot be opened
     */
    public StoreHistories(OfOneAttribute conflict, List<? extends SessionStores> servers) throws IOException {
        assertEquals(SERVERS, servers.size());
        this.conflict = conflict;
        String application = "/histories-" + UUID.randomUUID();
        for (SessionStores server : servers) {
            this.servers.add(server.of(application));
        }
    }

    /** Runs {@code byDefault} histories, or the number in the system property {@code penstock.histories}. */
    public void run(int byDefault) {
        RandomHistories.run(byDefault, conflict.toString(), History::new);
    }

    /** The copy of a session in the memory of a server. */
    private record Copy(long version, long mark, int seconds, Map<String, byte[]> attributes) {
        /** Is used if the server has no copy of the session. The server then sends its change with the version 1. */
        private static final Copy UNKNOWN = new Copy(1, 0, 60, Map.of());
    }

    private final class History implements RandomHistories.History {
        private final SplittableRandom random;
        private final AttributeTable table = new AttributeTable(conflict);
        private final List<String> steps = new ArrayList<>();
        private final List<SessionKey> keys = new ArrayList<>();
        private final Set<SessionKey> ended = new HashSet<>();
        private final List<Map<SessionKey, Copy>> copies = List.of(new HashMap<>(), new HashMap<>(), new HashMap<>());

        private History(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public List<String> steps() {
            return steps;
        }

        @Override
        public void run() throws IOException {
            create(0);
            int length = 10 + random.nextInt(20);
            for (int i = 0; i < length; i++) {
                step(random.nextInt(SERVERS));
            }
            end();
        }

        private void step(int server) throws IOException {
            int draw = random.nextInt(100);
            if (draw < 6) {
                create(server);
            } else if (draw < 34) {
                load(server, anyKey());
            } else if (draw < 64) {
                change(server, anyKey());
            } else if (draw < 71) {
                changeId(server, anyKey());
            } else if (draw < 79) {
                touch(server, anyKey());
            } else if (draw < 82) {
                delete(server, anyKey());
            } else if (draw < 85) {
                steps.add(server + " is killed and starts again");
                copies.get(server).clear();
            } else if (draw < 92) {
                now = now.plusSeconds(random.nextInt(50));
                steps.add("now " + now);
            } else if (draw < 98) {
                expire(server);
            } else {
                deleteExpired(server, anyKey());
            }
        }

        private SessionKey newKey() {
            SessionKey key = SessionKey.of(Long.toHexString(random.nextLong()) + random.nextLong());
            keys.add(key);
            return key;
        }

        /** Returns a random key. Usually the key is one of the last two keys, so several servers often use the same session. */
        private SessionKey anyKey() {
            int last = keys.size() - 1;
            return keys.get(
                    random.nextInt(4) == 0 ? random.nextInt(keys.size()) : Math.max(0, last - random.nextInt(2)));
        }

        private String name(SessionKey key) {
            return "session " + keys.indexOf(key);
        }

        private SessionChange draw(SessionKey former, SessionKey key, Copy base) {
            Map<String, byte[]> written = new HashMap<>();
            Set<String> removed = new HashSet<>();
            for (String name : NAMES) {
                int draw = random.nextInt(10);
                if (draw < 3) {
                    written.put(name, Long.toString(random.nextInt(1000)).getBytes(StandardCharsets.UTF_8));
                } else if (draw < 5) {
                    removed.add(name);
                }
            }
            boolean newInterval = base.version == 0 || base == Copy.UNKNOWN || random.nextBoolean();
            int seconds = newInterval ? SECONDS[random.nextInt(SECONDS.length)] : base.seconds;
            return new SessionChange(
                    former,
                    key,
                    base.version,
                    base.mark,
                    SessionChange.newMark(),
                    START,
                    now.minusSeconds(random.nextInt(3)),
                    seconds,
                    newInterval,
                    written,
                    removed);
        }

        private void create(int server) throws IOException {
            SessionKey key = newKey();
            save(server, draw(key, key, new Copy(0, 0, 60, Map.of())));
        }

        private void load(int server, SessionKey key) throws IOException {
            Copy copy = copies.get(server).get(key);
            long known = copy == null ? 0 : copy.version;
            steps.add(server + " loads " + name(key) + " with version " + known);
            Optional<StoredSession> expected = table.load(key, 0);
            Optional<StoredSession> found = servers.get(server).load(key, known);
            assertEquals(expected.isPresent(), found.isPresent());
            assertFalse(found.isPresent() && ended.contains(key), "a deleted session must not exist again");
            if (found.isEmpty()) {
                copies.get(server).remove(key);
                return;
            }
            StoredSession session = found.get();
            assertEquals(header(expected.get()), header(session));
            if (session.version() != known) {
                assertSame(expected.get().attributes(), session.attributes());
                copies.get(server)
                        .put(
                                key,
                                new Copy(
                                        session.version(),
                                        session.mark(),
                                        session.maxInactiveSeconds(),
                                        session.attributes()));
            } else if (copy != null) {
                assertTrue(session.isAt(known, copy.mark), "the mark of the copy and the mark in the store differ");
                assertSame(expected.get().attributes(), copy.attributes);
            }
        }

        private List<Object> header(StoredSession session) {
            return List.of(
                    session.key(),
                    session.version(),
                    session.created(),
                    session.accessed(),
                    session.maxInactiveSeconds());
        }

        private void assertSame(Map<String, byte[]> expected, Map<String, byte[]> found) {
            assertEquals(expected.keySet(), found.keySet());
            expected.forEach((name, value) -> assertArrayEquals(value, found.get(name), "the attribute " + name));
        }

        /** Saves a random change of a session. The change is based on the server's copy of the session, which can be outdated. */
        private void change(int server, SessionKey key) throws IOException {
            Copy copy = copies.get(server).get(key);
            if (copy == null) {
                load(server, key);
                copy = copies.get(server).get(key);
            }
            save(server, draw(key, key, copy == null ? Copy.UNKNOWN : copy));
        }

        private void changeId(int server, SessionKey former) throws IOException {
            Copy copy = copies.get(server).get(former);
            SessionKey key = newKey();
            save(server, draw(former, key, copy == null ? Copy.UNKNOWN : copy));
        }

        private void save(int server, SessionChange change) throws IOException {
            String step =
                    server + " saves " + name(change.former()) + " as " + name(change.key()) + " at " + change.base()
                            + ", " + change.maxInactiveSeconds() + " s, "
                            + change.written().keySet() + " without "
                            + change.removed();
            steps.add(step);
            OptionalLong expected = OptionalLong.empty();
            boolean refused = false;
            try {
                expected = table.save(change);
            } catch (StaleSessionException e) {
                refused = true;
            }
            OptionalLong version = OptionalLong.empty();
            try {
                version = servers.get(server).save(change);
                assertFalse(refused, "the change must be refused");
            } catch (StaleSessionException e) {
                assertTrue(refused, e.getMessage());
            }
            steps.set(steps.size() - 1, step + ": " + (refused ? "refused" : version));
            assertEquals(expected, version);
            boolean another = !change.former().equals(change.key());
            if (version.isPresent() && another) {
                ended.add(change.former());
            }
            follow(server, change, version);
        }

        /**
         * Updates the copy of the server if no other server has changed the session. Otherwise removes the copy, so the server must load
         * the session again.
         */
        private void follow(int server, SessionChange change, OptionalLong version) {
            Map<SessionKey, Copy> mine = copies.get(server);
            Copy before = mine.remove(change.former());
            if (version.isEmpty()
                    || version.getAsLong() != change.base() + 1
                    || (before == null && change.base() > 0)) {
                return;
            }
            Map<String, byte[]> attributes = new HashMap<>(before == null ? Map.of() : before.attributes);
            attributes.keySet().removeAll(change.removed());
            attributes.putAll(change.written());
            mine.put(
                    change.key(),
                    new Copy(version.getAsLong(), change.mark(), change.maxInactiveSeconds(), attributes));
        }

        private void touch(int server, SessionKey key) throws IOException {
            Instant accessed = now.minusSeconds(random.nextInt(5));
            steps.add(server + " touches " + name(key) + " at " + accessed);
            table.touch(key, accessed);
            servers.get(server).touch(key, accessed);
        }

        private void delete(int server, SessionKey key) throws IOException {
            steps.add(server + " deletes " + name(key));
            assertEquals(table.delete(key), servers.get(server).delete(key));
            ended.add(key);
            copies.get(server).remove(key);
        }

        private boolean deleteExpired(int server, SessionKey key) throws IOException {
            steps.add(server + " deletes " + name(key) + " if expired at " + now);
            boolean deleted = servers.get(server).deleteExpired(key, now);
            assertEquals(table.deleteExpired(key, now), deleted);
            if (deleted) {
                assertTrue(ended.add(key), "an expired session must be deleted only once");
            }
            return deleted;
        }

        /** Searches for expired sessions, and deletes most of them. Returns whether the search has found expired sessions. */
        private boolean expire(int server) throws IOException {
            int most = 1 + random.nextInt(3);
            steps.add(server + " searches for " + most + " sessions expired at " + now);
            Map<SessionKey, String> expected = ids(table.expired(now, Integer.MAX_VALUE));
            Map<SessionKey, String> found = ids(servers.get(server).expired(now, most));
            assertTrue(found.size() <= most);
            assertTrue(expected.entrySet().containsAll(found.entrySet()), "a wrong session or id was found");
            for (SessionKey key : found.keySet()) {
                if (random.nextInt(5) == 0) {
                    steps.add(server + " stops before it deletes " + name(key));
                } else {
                    deleteExpired(server, key);
                }
            }
            return !found.isEmpty();
        }

        private static Map<SessionKey, String> ids(Collection<StoredSession> sessions) {
            Map<SessionKey, String> ids = new LinkedHashMap<>();
            sessions.forEach(session -> ids.put(session.key(), session.id()));
            return ids;
        }

        /**
         * Loads all sessions with all servers. Then advances the time until the sessions with an interval expire, and deletes these
         * sessions. Finally deletes the other sessions.
         */
        private void end() throws IOException {
            for (SessionKey key : keys) {
                for (int server = 0; server < SERVERS; server++) {
                    load(server, key);
                }
            }
            now = now.plusSeconds(600).plus(MAX_RESERVATION);
            int rounds = 0;
            while (!table.expired(now, 1).isEmpty()) {
                assertTrue(rounds < 100, "100 searches have not found all expired sessions");
                if (!expire(rounds++ % SERVERS)) {
                    now = now.plus(MAX_RESERVATION);
                }
            }
            for (SessionKey key : keys) {
                delete(random.nextInt(SERVERS), key);
            }
            now = now.plus(MAX_RESERVATION);
            assertTrue(servers.get(0).expired(now, 100).isEmpty(), "the search finds a session that was deleted");
        }
    }
}
