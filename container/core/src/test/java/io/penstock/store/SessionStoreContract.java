package io.penstock.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the contract of a {@link SessionStore}. Several servers share the store, and the store saves each attribute separately. The test
 * class of a store extends this class. Each test method uses a new application, so the tests need not clear the store.
 */
public abstract class SessionStoreContract {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");
    private static final int HALF_AN_HOUR = 1800;

    /**
     * A search for expired sessions can reserve the returned sessions for the server that searches. Later searches do not return a reserved
     * session. A reservation ends after this time at the latest.
     */
    private static final Duration MAX_RESERVATION = Duration.ofMinutes(1);

    private final List<SessionStores> opened = new ArrayList<>();
    private final String application = "/" + UUID.randomUUID();
    private SessionStore one;
    private SessionStore other;

    /** Opens the stores of a new server. All servers of a test use the same sessions. */
    protected abstract SessionStores open(OfOneAttribute conflict) throws Exception;

    @BeforeEach
    final void openTwoServers() throws Exception {
        share(OfOneAttribute.LATER_WINS);
    }

    private void share(OfOneAttribute conflict) throws Exception {
        one = server(conflict).of(application);
        other = server(conflict).of(application);
    }

    private SessionStores server(OfOneAttribute conflict) throws Exception {
        SessionStores stores = open(conflict);
        opened.add(stores);
        return stores;
    }

    @AfterEach
    final void close() throws IOException {
        for (SessionStores stores : opened) {
            stores.close();
        }
    }

    private static SessionKey newKey() {
        return SessionKey.of(UUID.randomUUID().toString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static SessionChange change(SessionKey key, long base, Map<String, byte[]> written, String... removed) {
        return new SessionChange(key, key, base, NOW, NOW, HALF_AN_HOUR, written, Set.of(removed));
    }

    private static SessionChange set(SessionKey key, long base, String name, String value) {
        return change(key, base, Map.of(name, bytes(value)));
    }

    private static SessionChange timed(SessionKey key, long base, Instant accessed, int seconds) {
        return new SessionChange(key, key, base, NOW, accessed, seconds, Map.of(), Set.of());
    }

    private static SessionChange renamed(SessionKey former, SessionKey key, long base, String value) {
        return new SessionChange(
                former, key, base, NOW, NOW, HALF_AN_HOUR, Map.of("\0id", bytes(value)), Set.of("gone"));
    }

    /** Creates a session with the attributes {@code name} and {@code gone}, and with an id. */
    private SessionKey session() throws IOException {
        SessionKey key = newKey();
        assertEquals(
                OptionalLong.of(1),
                one.save(change(key, 0, Map.of("name", bytes("Ada"), "gone", bytes("soon"), "\0id", bytes("1")))));
        return key;
    }

    private SessionKey session(int seconds) throws IOException {
        SessionKey key = newKey();
        assertEquals(OptionalLong.of(1), one.save(timed(key, 0, NOW, seconds)));
        return key;
    }

    private static StoredSession load(SessionStore store, SessionKey key) throws IOException {
        Optional<StoredSession> found = store.load(key, 0);
        assertTrue(found.isPresent());
        return found.get();
    }

    private static Map<String, String> attributes(SessionStore store, SessionKey key) throws IOException {
        Map<String, String> texts = new HashMap<>();
        load(store, key)
                .attributes()
                .forEach((name, value) -> texts.put(name, new String(value, StandardCharsets.UTF_8)));
        texts.remove("\0id");
        return texts;
    }

    private static List<SessionKey> expired(SessionStore store, Instant now, int most) throws IOException {
        return store.expired(now, most).stream().map(StoredSession::key).toList();
    }

    private static Instant end(int seconds) {
        return NOW.plusSeconds(seconds);
    }

    // sessions and attributes

    @Test
    void aSavedSessionIsFoundByAllServers() throws IOException {
        SessionKey key = newKey();
        Instant accessed = NOW.plusMillis(4711);
        SessionChange change = new SessionChange(
                key, key, 0, NOW, accessed, 77, Map.of("name", bytes("Ada"), "\0id", bytes("1")), Set.of());
        assertEquals(OptionalLong.of(1), one.save(change));
        for (SessionStore server : List.of(one, other)) {
            StoredSession found = load(server, key);
            assertEquals(key, found.key());
            assertEquals(1, found.version());
            assertEquals(NOW, found.created());
            assertEquals(accessed, found.accessed());
            assertEquals(77, found.maxInactiveSeconds());
            assertEquals(Set.of("name", "\0id"), found.attributes().keySet());
            assertArrayEquals(bytes("Ada"), found.attributes().get("name"));
        }
    }

    @Test
    void aSessionWithoutAttributesIsSaved() throws IOException {
        SessionKey key = session(HALF_AN_HOUR);
        assertEquals(Map.of(), attributes(other, key));
    }

    @Test
    void aLoadOfAnUnknownKeyFindsNoSession() throws IOException {
        assertEquals(Optional.empty(), one.load(newKey(), 0));
        assertEquals(Optional.empty(), one.load(newKey(), 5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\0",
                "\0\0note",
                "a:b",
                "a\nb",
                "ä€😀",
                "{x}",
                "'; drop table",
                "%_\\",
                "\ud800",
                "\udc00x"
            })
    void theNameOfAnAttributeCanBeAnyText(String name) throws IOException {
        SessionKey key = newKey();
        one.save(set(key, 0, name, "value"));
        one.save(set(key, 1, "next", "value"));
        assertEquals(Map.of(name, "value", "next", "value"), attributes(other, key));
        one.save(change(key, 2, Map.of(), name));
        assertEquals(Map.of("next", "value"), attributes(other, key));
    }

    @Test
    void attributesWithSimilarNamesAreSeparate() throws IOException {
        List<String> names =
                List.of("a", "A", "a ", " a", "\ud800", "\udc00", "?", "ä", "a\u0308", "\0a", "a\0", "version", "name");
        Map<String, byte[]> written = new HashMap<>();
        names.forEach(name -> written.put(name, bytes("<" + name.length() + names.indexOf(name) + ">")));
        SessionKey key = newKey();
        one.save(change(key, 0, written));
        Map<String, byte[]> found = load(other, key).attributes();
        assertEquals(written.keySet(), found.keySet());
        written.forEach((name, value) -> assertArrayEquals(value, found.get(name)));
    }

    @Test
    void theNameOfAnAttributeCanBeLong() throws IOException {
        SessionKey key = newKey();
        String name = "n".repeat(300) + "é".repeat(200);
        one.save(set(key, 0, name, "value"));
        assertEquals(Map.of(name, "value"), attributes(other, key));
    }

    @Test
    void theValueOfAnAttributeCanContainAnyBytes() throws IOException {
        byte[] all = new byte[3 * 256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        byte[] large = new byte[2 * 1024 * 1024];
        large[large.length - 1] = 1;
        SessionKey key = newKey();
        one.save(change(key, 0, Map.of("all", all, "none", new byte[0], "large", large)));
        Map<String, byte[]> found = load(other, key).attributes();
        assertArrayEquals(all, found.get("all"));
        assertArrayEquals(new byte[0], found.get("none"));
        assertArrayEquals(large, found.get("large"));
    }

    @Test
    void aSessionCanHaveManyAttributes() throws IOException {
        Map<String, byte[]> many = new HashMap<>();
        for (int i = 0; i < 3000; i++) {
            many.put("name" + i, bytes("value" + i));
        }
        SessionKey key = newKey();
        one.save(change(key, 0, many));
        assertEquals(many.keySet(), load(other, key).attributes().keySet());
        assertEquals(
                OptionalLong.of(2),
                one.save(new SessionChange(key, key, 1, NOW, NOW, HALF_AN_HOUR, Map.of(), many.keySet())));
        assertEquals(Map.of(), attributes(other, key));
    }

    @Test
    void aChangeCanAddAndReplaceAndRemoveAttributes() throws IOException {
        SessionKey key = session();
        assertEquals(
                OptionalLong.of(2),
                other.save(change(key, 1, Map.of("name", bytes("Grace"), "new", bytes("here")), "gone", "never")));
        assertEquals(Map.of("name", "Grace", "new", "here"), attributes(one, key));
        assertEquals(2, load(one, key).version());
    }

    @Test
    void aChangeUpdatesTheAccessTimeAndTheIntervalOfASession() throws IOException {
        SessionKey key = session();
        one.save(timed(key, 1, NOW.plusSeconds(9), 99));
        StoredSession found = load(other, key);
        assertEquals(NOW, found.created());
        assertEquals(NOW.plusSeconds(9), found.accessed());
        assertEquals(99, found.maxInactiveSeconds());
        one.save(timed(key, 2, NOW.plusSeconds(5), -1));
        found = load(other, key);
        assertEquals(NOW.plusSeconds(9), found.accessed(), "the access time must not become earlier");
        assertEquals(-1, found.maxInactiveSeconds());
    }

    @Test
    void theCurrentVersionIsLoadedEvenIfTheCallerKnowsAnOlderVersion() throws IOException {
        SessionKey key = session();
        assertEquals(1, one.load(key, 1).orElseThrow().version());
        other.save(set(key, 1, "name", "Grace"));
        StoredSession found = one.load(key, 1).orElseThrow();
        assertEquals(2, found.version());
        assertArrayEquals(bytes("Grace"), found.attributes().get("name"));
        assertEquals(2, one.load(key, 2).orElseThrow().version());
        assertEquals(3, load(one, key).attributes().size());
    }

    /** A mark identifies the change that created a version. A store without marks returns the mark 0, which matches every mark. */
    @Test
    void aSessionHasTheMarkOfItsLatestChange() throws IOException {
        SessionKey key = newKey();
        SessionKey next = newKey();
        SessionChange first = set(key, 0, "name", "Ada");
        one.save(first);
        assertTrue(load(other, key).isAt(1, first.mark()));
        assertTrue(other.load(key, 1).orElseThrow().isAt(1, first.mark()));
        SessionChange second = set(key, 1, "name", "Grace");
        other.save(second);
        assertTrue(load(one, key).isAt(2, second.mark()));
        SessionChange merged = set(key, 1, "other", "x");
        one.save(merged);
        assertTrue(load(one, key).isAt(3, merged.mark()));
        SessionChange renamed = renamed(key, next, 3, "2");
        one.save(renamed);
        assertTrue(other.load(next, 4).orElseThrow().isAt(4, renamed.mark()));
    }

    @Test
    void sessionsStillExistAfterAllServersHaveStopped() throws Exception {
        SessionKey key = session();
        for (SessionStores stores : opened) {
            stores.close();
        }
        opened.clear();
        share(OfOneAttribute.LATER_WINS);
        assertEquals(Map.of("name", "Ada", "gone", "soon"), attributes(one, key));
    }

    @Test
    void applicationsHaveSeparateSessions() throws Exception {
        SessionKey key = session();
        SessionStores server = server(OfOneAttribute.LATER_WINS);
        List<SessionStore> others = new ArrayList<>();
        for (String path : List.of(
                "/",
                application + "x",
                application + "/x",
                "//www.example.org" + application,
                "/ü {x}%" + application)) {
            others.add(server.of(path));
        }
        for (SessionStore store : others) {
            assertEquals(Optional.empty(), store.load(key, 0));
            assertFalse(store.delete(key));
            assertEquals(OptionalLong.of(1), store.save(set(key, 0, "name", "Grace")));
        }
        for (SessionStore store : others) {
            assertEquals(OptionalLong.of(2), store.save(set(key, 1, "name", "Edsger")));
            assertTrue(store.delete(key), "the deletion must find the session");
        }
        assertEquals(Map.of("name", "Ada", "gone", "soon"), attributes(one, key));
    }

    @Test
    void twoDeploymentsOfAnApplicationShareSessions() throws Exception {
        SessionStores server = server(OfOneAttribute.LATER_WINS);
        SessionKey key = session();
        SessionStore former = server.of(application);
        SessionStore next = server.of(application);
        former.save(set(key, 1, "name", "Grace"));
        assertEquals("Grace", attributes(next, key).get("name"));
    }

    // deletion

    @Test
    void aDeletedSessionIsNotFound() throws IOException {
        SessionKey key = session();
        assertTrue(one.delete(key));
        assertEquals(Optional.empty(), other.load(key, 0));
        assertEquals(Optional.empty(), one.load(key, 1));
        assertFalse(other.delete(key));
        assertFalse(one.delete(newKey()));
    }

    @Test
    void saveAndTouchDoNotRestoreADeletedSession() throws IOException {
        SessionKey key = session();
        other.delete(key);
        assertEquals(OptionalLong.empty(), one.save(set(key, 1, "name", "Grace")));
        one.touch(key, NOW.plusSeconds(5));
        assertEquals(OptionalLong.empty(), one.save(renamed(key, newKey(), 1, "2")));
        assertEquals(Optional.empty(), one.load(key, 0));
        assertEquals(List.of(), expired(one, end(2 * HALF_AN_HOUR), 10));
    }

    @Test
    void aChangeOfAMissingSessionIsNotSaved() throws IOException {
        SessionKey key = newKey();
        SessionKey next = newKey();
        assertEquals(OptionalLong.empty(), one.save(set(key, 7, "name", "Grace")));
        assertEquals(OptionalLong.empty(), one.save(renamed(key, next, 7, "2")));
        assertEquals(Optional.empty(), one.load(key, 0));
        assertEquals(Optional.empty(), one.load(next, 0));
    }

    // a new session id

    @Test
    void aSessionKeepsItsContentWhenItsIdChanges() throws IOException {
        SessionKey former = session();
        SessionKey key = newKey();
        assertEquals(OptionalLong.of(2), one.save(renamed(former, key, 1, "2")));
        assertEquals(Optional.empty(), other.load(former, 0));
        assertEquals(Optional.empty(), other.load(former, 1));
        StoredSession found = load(other, key);
        assertEquals(key, found.key());
        assertEquals(2, found.version());
        assertEquals(NOW, found.created());
        assertEquals(Map.of("name", "Ada"), attributes(other, key));
        assertArrayEquals(bytes("2"), found.attributes().get("\0id"));
        assertEquals(OptionalLong.of(3), other.save(set(key, 2, "name", "Grace")));
        assertEquals(OptionalLong.empty(), other.save(set(former, 1, "name", "Edsger")));
        assertFalse(other.delete(former));
        assertEquals(Map.of("name", "Grace"), attributes(one, key));
        assertTrue(other.delete(key));
    }

    @Test
    void aChangeOfTheIdDoesNotOverwriteAnEarlierChangeOfAnotherServer() throws IOException {
        SessionKey former = session();
        SessionKey key = newKey();
        assertEquals(OptionalLong.of(2), other.save(set(former, 1, "name", "Grace")));
        assertEquals(OptionalLong.of(3), one.save(renamed(former, key, 1, "2")));
        assertEquals(Map.of("name", "Grace"), attributes(one, key));
    }

    @Test
    void theIdOfASessionCanChangeManyTimes() throws IOException {
        SessionKey key = session();
        Set<SessionKey> formers = new HashSet<>();
        for (int i = 1; i <= 40; i++) {
            SessionKey next = newKey();
            assertEquals(OptionalLong.of(i + 1), one.save(renamed(key, next, i, "" + i)));
            formers.add(key);
            key = next;
        }
        for (SessionKey former : formers) {
            assertEquals(Optional.empty(), other.load(former, 0));
        }
        assertEquals(Map.of("name", "Ada"), attributes(other, key));
        assertEquals(List.of(key), expired(one, end(HALF_AN_HOUR), 100));
        assertTrue(one.deleteExpired(key, end(HALF_AN_HOUR)));
    }

    // changes by several servers

    @Test
    void aChangeWithoutANewIntervalDoesNotOverwriteTheIntervalFromAnotherServer() throws IOException {
        SessionKey key = session();
        one.save(timed(key, 1, NOW, 7));
        other.save(new SessionChange(
                key,
                key,
                1,
                0,
                SessionChange.newMark(),
                NOW,
                NOW,
                HALF_AN_HOUR,
                false,
                Map.of("there", bytes("2")),
                Set.of()));
        assertEquals(7, load(one, key).maxInactiveSeconds());
        other.save(timed(key, 1, NOW, HALF_AN_HOUR));
        assertEquals(HALF_AN_HOUR, load(one, key).maxInactiveSeconds());
    }

    @Test
    void changesOfDifferentAttributesByTwoServersAreMerged() throws IOException {
        SessionKey key = session();
        assertEquals(OptionalLong.of(2), one.save(set(key, 1, "here", "1")));
        assertEquals(OptionalLong.of(3), other.save(change(key, 1, Map.of("there", bytes("2")), "gone")));
        assertEquals(Map.of("name", "Ada", "here", "1", "there", "2"), attributes(one, key));
    }

    @Test
    void aLaterChangeOfTheSameAttributeOverwritesTheEarlierChange() throws IOException {
        SessionKey key = session();
        one.save(set(key, 1, "name", "Grace"));
        assertEquals(OptionalLong.of(3), other.save(set(key, 1, "name", "Edsger")));
        assertEquals("Edsger", attributes(one, key).get("name"));
        one.save(change(key, 3, Map.of(), "name"));
        other.save(set(key, 3, "name", "Alan"));
        assertEquals("Alan", attributes(one, key).get("name"));
        one.save(set(key, 5, "name", "Barbara"));
        other.save(change(key, 5, Map.of(), "name"));
        assertEquals(Map.of("gone", "soon"), attributes(one, key));
    }

    @Test
    void aLaterChangeOfTheSameAttributeIsRefusedIfConfigured() throws Exception {
        share(OfOneAttribute.LATER_IS_REFUSED);
        SessionKey key = session();
        one.save(set(key, 1, "name", "Grace"));
        refused(change(key, 1, Map.of("name", bytes("Edsger"), "other", bytes("x")), "gone"));
        refused(change(key, 1, Map.of("other", bytes("x")), "name"));
        assertEquals(Map.of("name", "Grace", "gone", "soon"), attributes(one, key));
        assertEquals(2, load(one, key).version());
        assertEquals(OptionalLong.of(3), other.save(set(key, 2, "name", "Edsger")));
    }

    @Test
    void aChangeOfAnAttributeThatAnotherServerHasRemovedIsRefusedIfConfigured() throws Exception {
        share(OfOneAttribute.LATER_IS_REFUSED);
        SessionKey key = session();
        one.save(change(key, 1, Map.of(), "name"));
        refused(set(key, 1, "name", "Grace"));
        assertEquals(Map.of("gone", "soon"), attributes(one, key));
        assertEquals(OptionalLong.of(3), other.save(set(key, 2, "name", "Edsger")));
        refused(set(key, 2, "name", "Alan"));
    }

    @Test
    void changesOfDifferentAttributesAreNotRefused() throws Exception {
        share(OfOneAttribute.LATER_IS_REFUSED);
        SessionKey key = session();
        assertEquals(OptionalLong.of(2), one.save(change(key, 1, Map.of("here", bytes("1")), "name")));
        assertEquals(OptionalLong.of(3), other.save(change(key, 1, Map.of("there", bytes("2")), "gone")));
        assertEquals(
                OptionalLong.of(4),
                other.save(set(key, 3, "there", "3")),
                "the version after a change of an attribute that no other server has changed");
        assertEquals(
                OptionalLong.of(5),
                one.save(set(key, 2, "here", "4")),
                "the version after a change of an attribute that no other server has changed");
        assertEquals(Map.of("here", "4", "there", "3"), attributes(one, key));
    }

    @Test
    void aSessionKeepsItsIdIfTheChangeOfTheIdIsRefused() throws Exception {
        share(OfOneAttribute.LATER_IS_REFUSED);
        SessionKey key = session();
        SessionKey next = newKey();
        one.save(set(key, 1, "\0id", "x"));
        assertThrows(StaleSessionException.class, () -> other.save(renamed(key, next, 1, "2")));
        assertEquals(Map.of("name", "Ada", "gone", "soon"), attributes(one, key));
        assertEquals(Optional.empty(), one.load(next, 0));
    }

    private void refused(SessionChange change) {
        assertThrows(StaleSessionException.class, () -> other.save(change));
    }

    @ParameterizedTest
    @EnumSource(OfOneAttribute.class)
    void aSecondCreationOfASessionIsRefused(OfOneAttribute conflict) throws Exception {
        share(conflict);
        SessionKey key = session();
        assertThrows(StaleSessionException.class, () -> other.save(set(key, 0, "name", "Grace")));
        assertEquals(Map.of("name", "Ada", "gone", "soon"), attributes(one, key));
        assertEquals(1, load(one, key).version());
    }

    @Test
    void allConcurrentChangesAreSaved() throws Exception {
        SessionKey key = session();
        int servers = 6;
        int each = 30;
        List<Callable<Void>> jobs = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            SessionStore store = server(OfOneAttribute.LATER_WINS).of(application);
            String name = "of" + server;
            jobs.add(() -> {
                long base = 1;
                for (int i = 0; i < each; i++) {
                    base = store.save(set(key, base, name, "" + i)).orElseThrow();
                }
                return null;
            });
        }
        together(jobs);
        assertEquals(1 + servers * each, load(one, key).version());
        for (int server = 0; server < servers; server++) {
            assertEquals("" + (each - 1), attributes(one, key).get("of" + server));
        }
    }

    @Test
    void exactlyOneOfManyConcurrentCreationsSucceeds() throws Exception {
        SessionKey key = newKey();
        List<Boolean> created = atOnce(store -> {
            try {
                return store.save(set(key, 0, "name", "Ada")).isPresent();
            } catch (StaleSessionException e) {
                return false;
            }
        });
        assertEquals(1, created.stream().filter(done -> done).count());
    }

    @Test
    void exactlyOneOfManyConcurrentDeletionsSucceeds() throws Exception {
        SessionKey key = session();
        assertEquals(
                1,
                atOnce(store -> store.delete(key)).stream().filter(done -> done).count());
        SessionKey expired = session();
        assertEquals(
                1,
                atOnce(store -> store.deleteExpired(expired, end(HALF_AN_HOUR))).stream()
                        .filter(done -> done)
                        .count());
    }

    /**
     * One server changes the id, and another server deletes the session at the same time. Afterwards the session must not exist, or must
     * exist with the new id only.
     */
    @Test
    void aChangeOfTheIdAndAConcurrentDeletionAreConsistent() throws Exception {
        for (int i = 0; i < 20; i++) {
            SessionKey former = session();
            SessionKey key = newKey();
            List<Boolean> done = together(
                    List.of(() -> one.save(renamed(former, key, 1, "2")).isPresent(), () -> other.delete(former)));
            assertEquals(Optional.empty(), one.load(former, 0));
            assertEquals(done.get(0), one.load(key, 0).isPresent());
            assertEquals(!done.get(0), done.get(1), "exactly one of the two calls must find the session");
        }
    }

    /**
     * One server changes the id, and another server saves a change with the former id at the same time. Afterwards the session must contain
     * the saved change, or the save must have returned no version.
     */
    @Test
    void aChangeOfTheIdAndAConcurrentSaveAreConsistent() throws Exception {
        for (int i = 0; i < 20; i++) {
            SessionKey former = session();
            SessionKey key = newKey();
            List<Boolean> done = together(List.of(
                    () -> one.save(renamed(former, key, 1, "2")).isPresent(),
                    () -> other.save(set(former, 1, "name", "Grace")).isPresent()));
            assertTrue(done.get(0));
            assertEquals(Optional.empty(), one.load(former, 0));
            assertEquals(done.get(1) ? "Grace" : "Ada", attributes(one, key).get("name"));
        }
    }

    private interface Job<T> {
        T with(SessionStore store) throws Exception;
    }

    private <T> List<T> atOnce(Job<T> job) throws Exception {
        List<Callable<T>> jobs = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            jobs.add(() -> job.with(one));
            jobs.add(() -> job.with(other));
        }
        return together(jobs);
    }

    private static <T> List<T> together(Collection<Callable<T>> jobs) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(jobs.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(jobs)) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    // access time and expiry

    @Test
    void aLaterAccessTimeDelaysTheExpiry() throws IOException {
        SessionKey key = session();
        other.touch(key, NOW.plusSeconds(60));
        StoredSession found = one.load(key, 1).orElseThrow();
        assertEquals(NOW.plusSeconds(60), found.accessed());
        assertEquals(1, found.version());
        other.touch(key, NOW.plusSeconds(30));
        assertEquals(NOW.plusSeconds(60), load(one, key).accessed(), "the access time must not become earlier");
        assertFalse(one.deleteExpired(key, end(HALF_AN_HOUR)));
        assertTrue(one.deleteExpired(key, end(HALF_AN_HOUR + 60)));
    }

    @Test
    void aTouchOfAMissingSessionCreatesNoSession() throws IOException {
        SessionKey key = newKey();
        one.touch(key, NOW);
        assertEquals(Optional.empty(), one.load(key, 0));
        assertEquals(OptionalLong.of(1), one.save(set(key, 0, "name", "Ada")));
    }

    @Test
    void aSessionExpiresAfterItsInterval() throws IOException {
        SessionKey key = session(60);
        session(61);
        assertEquals(List.of(), expired(one, end(60).minusMillis(1), 10));
        assertFalse(one.deleteExpired(key, end(60).minusMillis(1)));
        assertEquals(List.of(key), expired(one, end(60), 10));
        assertTrue(one.load(key, 0).isPresent(), "the search must not delete the session");
        assertTrue(one.deleteExpired(key, end(60)));
        assertFalse(other.deleteExpired(key, end(60)));
        assertEquals(Optional.empty(), one.load(key, 0));
    }

    @Test
    void theSearchReturnsAnExpiredSessionWithItsId() throws IOException {
        SessionKey key = SessionKey.of("ä 1");
        SessionKey without = session(60);
        one.delete(key);
        one.save(new SessionChange(
                key,
                key,
                0,
                NOW,
                NOW.plusMillis(7),
                60,
                Map.of(StoredSession.ID, bytes("ä 1"), "name", bytes("Ada")),
                Set.of()));
        Map<SessionKey, StoredSession> found = new HashMap<>();
        other.expired(end(61), 10).forEach(session -> found.put(session.key(), session));
        assertEquals(Set.of(key, without), found.keySet());
        assertEquals("ä 1", found.get(key).id());
        assertEquals(1, found.get(key).version());
        assertEquals(NOW, found.get(key).created());
        assertEquals(NOW.plusMillis(7), found.get(key).accessed());
        assertEquals(60, found.get(key).maxInactiveSeconds());
        assertEquals("", found.get(without).id());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aSessionWithAnIntervalOfZeroOrLessNeverExpires(int seconds) throws IOException {
        SessionKey key = session(seconds);
        Instant late = NOW.plus(Duration.ofDays(36_500));
        assertEquals(List.of(), expired(one, late, 10));
        assertFalse(one.deleteExpired(key, late));
        assertTrue(one.load(key, 0).isPresent());
    }

    @Test
    void theIntervalCanBeSeveralDecades() throws IOException {
        SessionKey key = session(Integer.MAX_VALUE);
        assertEquals(List.of(), expired(one, end(Integer.MAX_VALUE).minusMillis(1), 10));
        assertEquals(List.of(key), expired(one, end(Integer.MAX_VALUE), 10));
    }

    @Test
    void aChangeOfTheIntervalChangesTheExpiry() throws IOException {
        SessionKey never = session(60);
        SessionKey later = session(60);
        SessionKey sooner = session(600);
        SessionKey again = session(0);
        one.save(timed(never, 1, NOW, 0));
        one.save(timed(later, 1, NOW, 600));
        one.save(timed(sooner, 1, NOW, 60));
        one.save(timed(again, 1, NOW, 60));
        assertEquals(Set.of(sooner, again), Set.copyOf(expired(other, end(60), 10)));
        assertFalse(other.deleteExpired(never, end(60)));
        assertFalse(other.deleteExpired(later, end(60)));
    }

    @Test
    void anAccessAfterTheSearchDelaysTheExpiry() throws IOException {
        SessionKey key = session(60);
        assertEquals(List.of(key), expired(one, end(60), 10));
        other.touch(key, end(60));
        assertFalse(one.deleteExpired(key, end(61)));
        assertEquals(List.of(), expired(one, end(61), 10));
        assertEquals(List.of(key), expired(one, end(120).plus(MAX_RESERVATION), 10));
        assertTrue(one.deleteExpired(key, end(120).plus(MAX_RESERVATION)));
    }

    @Test
    void theSearchFindsAnExpiredSessionAmongManySessionsInUse() throws IOException {
        List<SessionKey> used = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            used.add(session(60));
        }
        SessionKey last = newKey();
        one.save(timed(last, 0, NOW.plusSeconds(1), 60));
        for (SessionKey key : used) {
            other.touch(key, NOW.plusSeconds(50));
        }
        assertEquals(List.of(last), expired(one, end(61), 5));
    }

    @Test
    void aSecondServerFindsAnExpiredSessionThatTheFirstServerHasNotDeleted() throws IOException {
        SessionKey key = session(60);
        assertEquals(List.of(key), expired(one, end(60), 10));
        assertEquals(List.of(key), expired(other, end(60).plus(MAX_RESERVATION), 10));
        assertTrue(other.deleteExpired(key, end(60).plus(MAX_RESERVATION)));
    }

    @Test
    void theSearchReturnsAtMostTheGivenNumberOfSessions() throws IOException {
        Set<SessionKey> all = new HashSet<>();
        for (int i = 0; i < 250; i++) {
            all.add(session(60));
        }
        SessionKey stays = session();
        Set<SessionKey> deleted = new HashSet<>();
        List<SessionStore> servers = List.of(one, other);
        for (int i = 0; deleted.size() < all.size(); i++) {
            assertTrue(i < 100, "100 searches have not found all expired sessions; deleted: " + deleted.size());
            SessionStore server = servers.get(i % 2);
            List<SessionKey> found = expired(server, end(60), 20);
            assertTrue(found.size() <= 20);
            for (SessionKey key : found) {
                assertTrue(server.deleteExpired(key, end(60)));
                assertTrue(deleted.add(key));
            }
        }
        assertEquals(all, deleted);
        assertEquals(List.of(), expired(one, end(60).plus(MAX_RESERVATION), 20));
        assertTrue(one.load(stays, 0).isPresent());
    }

    @Test
    void theSearchDoesNotReturnAFormerId() throws IOException {
        SessionKey former = session();
        SessionKey key = newKey();
        one.save(renamed(former, key, 1, "2"));
        assertEquals(List.of(key), expired(other, end(HALF_AN_HOUR), 10));
        assertFalse(other.deleteExpired(former, end(HALF_AN_HOUR)));
        assertTrue(other.deleteExpired(key, end(HALF_AN_HOUR)));
    }

    @Test
    void theSearchFindsOnlySessionsOfItsApplication() throws Exception {
        SessionStores server = server(OfOneAttribute.LATER_WINS);
        SessionStore neighbour = server.of(application + "/neighbour");
        SessionKey key = session(60);
        assertEquals(List.of(), expired(neighbour, end(60), 10));
        assertFalse(neighbour.deleteExpired(key, end(60)));
        assertEquals(
                List.of(key),
                Stream.concat(expired(neighbour, end(60), 10).stream(), expired(one, end(60), 10).stream())
                        .toList());
    }
}
