package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.SessionLimits;
import io.penstock.store.AttributeTable;
import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.StoreUnavailableException;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests two servers that share one session store. The store saves each attribute separately. */
final class SharedStoreTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** A class of the application. */
    private record Basket(ArrayList<String> items) implements Serializable {}

    private final Counters counters = new Counters();
    private AttributeTable table = new AttributeTable();
    private SessionFixture one = server();
    private SessionFixture other = server();

    private SessionFixture server() {
        return server(SharedStoreTest.class.getClassLoader());
    }

    private SessionFixture server(ClassLoader loader) {
        return server(loader, Duration.ZERO);
    }

    private SessionFixture server(ClassLoader loader, Duration longestDelay) {
        StoreGate gate = new StoreGate(2, Duration.ZERO, System::nanoTime, () -> {});
        return new SessionFixture(
                PassivatedSessions.shared(table, gate, Formats.of(null, loader), 10, longestDelay, counters), START);
    }

    /** Replaces the store. If two servers change the same attribute, the new store rejects the later change. */
    private void refuseLaterChanges() {
        table = new AttributeTable(AttributeTable.OfOneAttribute.LATER_IS_REFUSED);
        one = server();
        other = server();
    }

    /** Creates a session at server {@code one}, and ends the request. */
    private String session() {
        WebSession session = one.manager.create();
        session.setAttribute("basket", new Basket(new ArrayList<>(List.of("apple"))));
        session.setAttribute("name", "Ada");
        one.manager.leave(session);
        return session.getId();
    }

    private static WebSession join(SessionFixture server, String id) {
        WebSession session = server.manager.find(id);
        assertNotNull(session);
        return session;
    }

    private static Object attribute(SessionFixture server, String id, String name) {
        WebSession session = join(server, id);
        try {
            return session.getAttribute(name);
        } finally {
            server.manager.leave(session);
        }
    }

    private SessionChange lastChange() {
        List<SessionChange> changes = table.changes();
        return changes.get(changes.size() - 1);
    }

    @Test
    void onlyChangedAttributesAreSaved() {
        String id = session();
        WebSession session = join(one, id);
        session.setAttribute("name", "Ada");
        session.setAttribute("new", 1);
        one.manager.leave(session);
        assertEquals(Set.of("new"), lastChange().written().keySet());
        assertEquals(Set.of(), lastChange().removed());
        session = join(one, id);
        session.removeAttribute("new");
        one.manager.leave(session);
        assertEquals(Set.of(), lastChange().written().keySet());
        assertEquals(Set.of("new"), lastChange().removed());
        assertEquals(3, table.version(id));
    }

    @Test
    void aChangeInsideAnAttributeObjectIsSaved() {
        String id = session();
        WebSession session = join(one, id);
        ((Basket) session.getAttribute("basket")).items().add("pear");
        one.manager.leave(session);
        assertEquals(Set.of("basket"), lastChange().written().keySet());
        assertEquals(new Basket(new ArrayList<>(List.of("apple", "pear"))), attribute(other, id, "basket"));
    }

    @Test
    void onlyTheAccessTimeIsSavedIfTheSessionHasNotChanged() {
        String id = session();
        attribute(one, id, "name");
        WebSession session = join(one, id);
        session.setAttribute("name", "Ada");
        session.setMaxInactiveInterval(session.getMaxInactiveInterval());
        one.manager.leave(session);
        assertEquals(1, table.changes().size());
        assertEquals(2, table.touches());
        one.manager.stop();
        assertEquals(2, table.touches());
    }

    @Test
    void aChangedMaxInactiveIntervalIsSaved() {
        String id = session();
        WebSession session = join(one, id);
        session.setMaxInactiveInterval(7);
        one.manager.leave(session);
        assertEquals(7, join(other, id).getMaxInactiveInterval());
    }

    @Test
    void aSessionInMemoryIsUsedOnlyIfTheStoreHasTheSameVersion() {
        String id = session();
        WebSession first = join(one, id);
        one.manager.leave(first);
        assertSame(first, join(one, id));
        one.manager.leave(first);
        WebSession elsewhere = join(other, id);
        elsewhere.setAttribute("name", "Grace");
        other.manager.leave(elsewhere);
        WebSession second = join(one, id);
        assertNotSame(first, second);
        assertEquals("Grace", second.getAttribute("name"));
        one.manager.leave(second);
    }

    @Test
    void changesOfDifferentAttributesAtTwoServersAreMerged() {
        String id = session();
        WebSession here = join(one, id);
        WebSession there = join(other, id);
        here.setAttribute("here", 1);
        there.setAttribute("there", 2);
        there.removeAttribute("name");
        one.manager.leave(here);
        other.manager.leave(there);
        for (SessionFixture server : List.of(one, other)) {
            assertEquals(1, attribute(server, id, "here"));
            assertEquals(2, attribute(server, id, "there"));
            assertNull(attribute(server, id, "name"));
        }
    }

    @Test
    void anOutdatedSessionInMemoryIsNotUsedAgain() {
        String id = session();
        WebSession here = join(one, id);
        WebSession there = join(other, id);
        there.setAttribute("there", 2);
        other.manager.leave(there);
        here.setAttribute("here", 1);
        one.manager.save(here);
        here.setAttribute("here", 2);
        one.manager.leave(here);
        assertEquals(2, attribute(one, id, "there"));
        assertEquals(2, attribute(one, id, "here"));
    }

    @Test
    void theLaterOfTwoChangesOfAnAttributeOverwritesTheEarlierChange() {
        String id = session();
        WebSession here = join(one, id);
        WebSession there = join(other, id);
        here.setAttribute("name", "Grace");
        there.setAttribute("name", "Edsger");
        one.manager.leave(here);
        other.manager.leave(there);
        assertEquals("Edsger", attribute(one, id, "name"));
        assertEquals("Edsger", attribute(other, id, "name"));
    }

    @Test
    void aRequestSavesNoAttributesIfTheStoreRejectsOneOfItsChanges() {
        refuseLaterChanges();
        String id = session();
        WebSession here = join(one, id);
        WebSession there = join(other, id);
        here.setAttribute("name", "Grace");
        there.setAttribute("name", "Edsger");
        there.setAttribute("there", 2);
        one.manager.leave(here);
        assertThrows(SessionNotSavedException.class, () -> other.manager.leave(there));
        for (SessionFixture server : List.of(one, other)) {
            assertEquals("Grace", attribute(server, id, "name"));
            assertNull(attribute(server, id, "there"));
        }
    }

    @Test
    void aSessionIsNotSavedAgainAfterAnotherServerHasEndedIt() {
        String id = session();
        WebSession here = join(one, id);
        join(other, id).invalidate();
        here.setAttribute("name", "Grace");
        one.manager.save(here);
        one.manager.leave(here);
        assertEquals(0, table.version(id));
        assertNull(one.manager.find(id));
        one.manager.stop();
        assertEquals(0, table.version(id));
    }

    @Test
    void aNewSessionIdIsSavedAtOnceAndTheFormerIdIsNoLongerValid() {
        String id = session();
        WebSession here = join(one, id);
        String changed = one.manager.changeId(here);
        assertEquals(SessionKey.of(id), lastChange().former());
        assertEquals(SessionKey.of(changed), lastChange().key());
        assertEquals(0, table.version(id));
        assertEquals("Ada", attribute(other, changed, "name"), "the new id must be saved at once");
        one.manager.leave(here);
        assertNull(other.manager.find(id));
        assertEquals(changed, join(other, changed).getId());
    }

    @Test
    void theIdOfASessionCannotBeChangedAfterAnotherServerHasEndedTheSession() {
        String id = session();
        WebSession here = join(one, id);
        join(other, id).invalidate();
        assertThrows(IllegalStateException.class, () -> one.manager.changeId(here));
        one.manager.leave(here);
        assertNull(one.manager.find(here.getId()));
        assertFalse(one.diary.contains("id changed"));
    }

    private static void set(SessionFixture server, String id, String name, String value) {
        WebSession session = join(server, id);
        session.setAttribute(name, value);
        server.manager.leave(session);
    }

    /** The store crashes before it has written its latest changes to disk, and starts again. */
    @Test
    void aSessionInMemoryIsNotUsedIfTheStoreHasOtherValuesWithTheSameVersion() {
        String id = session();
        table.writeToDisk();
        set(one, id, "name", "Grace");
        table.crash();
        set(other, id, "name", "Edsger");
        assertEquals(2, table.version(id));
        assertEquals("Edsger", attribute(one, id, "name"));
    }

    @Test
    void theNextRequestReadsTheSessionAgainIfTheStoreHasLostChanges() {
        String id = session();
        table.writeToDisk();
        set(one, id, "name", "Grace");
        WebSession session = join(one, id);
        table.crash();
        set(other, id, "name", "Edsger");
        session.setAttribute("city", "Turin");
        one.manager.leave(session);
        assertEquals("Edsger", attribute(one, id, "name"));
        assertEquals("Turin", attribute(other, id, "city"));
    }

    @Test
    void onlyOneServerNotifiesListenersOfAnExpiredSession() {
        String id = session();
        attribute(other, id, "name");
        one.pass(Duration.ofMinutes(30));
        other.pass(Duration.ofMinutes(30));
        one.manager.expire();
        other.expire();
        List.copyOf(one.submittedJobs).forEach(Runnable::run);
        assertEquals(1, one.ends() + other.ends(), () -> one.diary + " and " + other.diary);
        assertEquals(0, table.version(id));
    }

    /** The search for expired sessions loads no session. The server loads an expired session only to end the session. */
    @Test
    void anExpiredSessionIsLoadedOnlyOnceAndIsDeleted() {
        String id = session();
        one.pass(Duration.ofMinutes(30));
        int before = table.loads();
        one.expire();
        assertEquals(before + 1, table.loads());
        assertEquals(0, table.version(id));
    }

    @Test
    void aRequestAtAnotherServerDelaysTheExpiryOfTheSession() {
        String id = session();
        one.pass(Duration.ofMinutes(40));
        other.pass(Duration.ofMinutes(20));
        attribute(other, id, "name");
        one.expire();
        assertEquals("Ada", attribute(one, id, "name"));
    }

    @Test
    void severalBatchesOfExpiredSessionsAreEndedByOneScan() throws Exception {
        for (int i = 0; i < 2 * SessionRepository.BATCH + 1; i++) {
            one.manager.leave(one.manager.create());
        }
        one.pass(Duration.ofMinutes(30));
        one.expire();
        assertTrue(table.expired(one.instant(), 1).isEmpty());
    }

    @Test
    void anUnreadableExpiredSessionDoesNotPreventTheExpiryOfOtherSessions() {
        List<String> ids = List.of(session(), session(), session());
        table.spoil(ids.get(1));
        one.pass(Duration.ofMinutes(30));
        one.expire();
        assertEquals(0, table.version(ids.get(0)));
        assertEquals(0, table.version(ids.get(2)));
        assertTrue(table.version(ids.get(1)) > 0);
    }

    @Test
    void anAttributeIsKeptForOtherServersIfOneServerDoesNotKnowItsClass() {
        String id = session();
        SessionFixture former = server(ClassLoader.getPlatformClassLoader());
        WebSession session = join(former, id);
        assertNull(session.getAttribute("basket"));
        session.setAttribute("name", "Grace");
        former.manager.leave(session);
        assertEquals(new Basket(new ArrayList<>(List.of("apple"))), attribute(one, id, "basket"));
        assertEquals("Grace", attribute(one, id, "name"));
    }

    @Test
    void theApplicationCanRemoveOrReplaceAnUnreadableAttribute() {
        String removed = session();
        String set = session();
        SessionFixture former = server(ClassLoader.getPlatformClassLoader());
        WebSession session = join(former, removed);
        session.removeAttribute("basket");
        former.manager.leave(session);
        assertNull(attribute(one, removed, "basket"));
        session = join(former, set);
        session.setAttribute("basket", "none");
        former.manager.leave(session);
        assertEquals("none", attribute(one, set, "basket"));
        session = join(former, set);
        session.removeAttribute("basket");
        former.manager.leave(session);
        assertNull(attribute(one, set, "basket"));
    }

    @Test
    void aNewSessionIsInvalidatedIfItCannotBeSaved() {
        table.goAway();
        WebSession session = one.manager.create();
        session.setAttribute("name", "Ada");
        assertThrows(SessionNotSavedException.class, () -> one.manager.leave(session));
        assertFalse(session.isValid());
        assertTrue(one.diary.contains("destroyed with [name]"), one.diary.toString());
        table.comeBack();
        assertNull(one.manager.find(session.getId()));
    }

    @Test
    void aNewSessionEndsOnlyOnceIfTheStoreDoesNotConfirmTheSave() {
        table.becomeMute();
        WebSession session = one.manager.create();
        assertThrows(SessionNotSavedException.class, () -> one.manager.leave(session));
        assertEquals(1, table.version(session.getId()));
        table.comeBack();
        one.expire();
        assertEquals(0, table.version(session.getId()));
        other.pass(Duration.ofMinutes(31));
        other.expire();
        assertEquals(List.of(), other.diary);
        assertEquals(List.of("created", "destroyed with []"), one.diary);
    }

    @Test
    void theCleanupAfterAFailedSaveDoesNotDeleteALaterSessionWithTheSameId() {
        String id = "used-in-another-application";
        WebSession lost = one.manager.create(id, null);
        table.goAway();
        assertThrows(SessionNotSavedException.class, () -> one.manager.leave(lost));
        table.comeBack();
        other.pass(Duration.ofSeconds(1));
        WebSession again = other.manager.create(id, null);
        again.setAttribute("name", "Ada");
        other.manager.leave(again);
        one.expire();
        assertEquals("Ada", attribute(one, id, "name"));
    }

    @Test
    void theStopOfAServerDoesNotOverwriteNewerValuesOfAnotherServer() {
        String id = session();
        WebSession here = join(one, id);
        Basket basket = (Basket) here.getAttribute("basket");
        one.manager.leave(here);
        WebSession there = join(other, id);
        there.setAttribute("basket", "sold");
        other.manager.leave(there);
        basket.items().add("pear");
        one.manager.stop();
        assertEquals("sold", attribute(other, id, "basket"));
    }

    @Test
    void aNewSessionIsStoredIfTheSecondAttemptToSaveItSucceeds() {
        table.goAway();
        WebSession session = one.manager.create();
        session.setAttribute("name", "Ada");
        assertThrows(SessionNotSavedException.class, () -> one.manager.save(session));
        table.comeBack();
        one.manager.leave(session);
        one.expire();
        assertEquals("Ada", attribute(other, session.getId(), "name"));
    }

    @Test
    void theNextRequestReadsTheStoredValuesAfterAFailedSave() {
        String id = session();
        WebSession session = join(one, id);
        session.setAttribute("name", "Grace");
        table.goAway();
        assertThrows(SessionNotSavedException.class, () -> one.manager.leave(session));
        assertThrows(UncheckedIOException.class, () -> one.manager.find(id));
        table.comeBack();
        assertEquals("Ada", attribute(one, id, "name"));
        assertEquals(1, counters.value(Counter.SESSIONS_NOT_SAVED));
    }

    @Test
    void changesOfARequestAreNotSavedIfTheRequestAbandonsTheSession() {
        String id = session();
        WebSession session = join(one, id);
        session.setAttribute("name", "Grace");
        one.manager.abandon(session);
        assertEquals("Ada", attribute(one, id, "name"));
        assertEquals("Ada", attribute(other, id, "name"));
    }

    @Test
    void aRequestSavesItsChangesWhileAnotherRequestOfTheSessionIsRunning() {
        String id = session();
        WebSession first = join(one, id);
        WebSession second = join(one, id);
        ((Basket) first.getAttribute("basket")).items().add("pear");
        one.manager.leave(first);
        assertEquals(Set.of("basket"), lastChange().written().keySet());
        one.manager.leave(second);
        assertEquals(2, table.changes().size());
    }

    @Test
    void aFailureToSaveTheAccessTimeIsIgnored() {
        String id = session();
        WebSession session = join(one, id);
        table.goAway();
        one.manager.leave(session);
        table.comeBack();
        assertSame(session, join(one, id));
    }

    @Test
    void theAccessTimeIsSavedAtMostOnceInATenthOfTheMaxInactiveInterval() {
        SessionFixture lazy = server(SharedStoreTest.class.getClassLoader(), Duration.ofMinutes(1));
        WebSession session = lazy.manager.create();
        session.setMaxInactiveInterval(100);
        String id = session.getId();
        lazy.manager.leave(session);
        for (int seconds = 1; seconds <= 20; seconds++) {
            lazy.pass(Duration.ofSeconds(1));
            attribute(lazy, id, "name");
        }
        assertEquals(2, table.touches());
        lazy.manager.leave(join(lazy, id));
        assertEquals(2, table.touches());
    }

    @Test
    void theMaximumDelayOfTheSavedAccessTimeIsAddedToTheMaxInactiveInterval() {
        SessionFixture lazy = server(SharedStoreTest.class.getClassLoader(), Duration.ofMinutes(1));
        SessionFixture another = server(SharedStoreTest.class.getClassLoader(), Duration.ofMinutes(1));
        WebSession session = lazy.manager.create();
        session.setMaxInactiveInterval(100);
        String id = session.getId();
        lazy.manager.leave(session);
        lazy.pass(Duration.ofSeconds(9));
        attribute(lazy, id, "name"); // the access time is not saved yet
        another.pass(Duration.ofSeconds(109));
        another.expire();
        another.manager.leave(join(another, id));
        another.pass(Duration.ofSeconds(111));
        assertNull(another.manager.find(id));
    }

    @Test
    void anAttributeIsNotSavedIfItChangesDuringSerialization() {
        String id = session();
        WebSession session = join(one, id);
        session.setAttribute("basket", new Disturbed());
        one.manager.leave(session);
        assertEquals(new Basket(new ArrayList<>(List.of("apple"))), attribute(other, id, "basket"));
    }

    /**
     * An object that cannot be serialized. Its serialization throws the exception that a collection throws if another request changes the
     * collection during the serialization.
     */
    private static final class Disturbed implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) {
            throw new ConcurrentModificationException();
        }
    }

    /** An object that counts its serializations. */
    private static final class Counted implements Serializable {
        private static final long serialVersionUID = 1L;
        private static final AtomicInteger WRITTEN = new AtomicInteger();

        private void writeObject(ObjectOutputStream out) {
            WRITTEN.incrementAndGet();
        }
    }

    @Test
    void aRequestDoesNotSerializeAttributesIfItReadsNoAttributes() {
        String id = session();
        WebSession session = join(one, id);
        session.setAttribute("counted", new Counted());
        one.manager.leave(session);
        int written = Counted.WRITTEN.get();
        session = join(one, id);
        one.manager.save(session);
        one.manager.leave(session);
        assertEquals(written, Counted.WRITTEN.get());
        session = join(one, id);
        session.getAttribute("name");
        one.manager.leave(session);
        assertEquals(written + 1, Counted.WRITTEN.get());
    }

    @Test
    void aChangeInsideAnAttributeObjectIsSavedByTheLastOfTwoRequests() {
        String id = session();
        WebSession session = join(one, id);
        Basket basket = (Basket) session.getAttribute("basket");
        one.manager.leave(join(one, id));
        basket.items().add("pear");
        one.manager.leave(session);
        assertEquals(basket, attribute(other, id, "basket"));
    }

    @Test
    void aSessionDoesNotExpireDuringALongRequest() {
        String id = session();
        WebSession session = join(one, id);
        for (int minutes = 0; minutes < 60; minutes += 10) {
            one.pass(Duration.ofMinutes(10));
            one.expire();
            other.pass(Duration.ofMinutes(10));
            other.expire();
        }
        session.setAttribute("late", 1);
        one.manager.leave(session);
        assertEquals(1, attribute(other, id, "late"));
    }

    @Test
    void aConflictIsDetectedEvenIfTheRequestHasSavedTheSessionBefore() {
        refuseLaterChanges();
        String id = session();
        WebSession here = join(one, id);
        WebSession there = join(other, id);
        there.setAttribute("name", "Edsger");
        other.manager.leave(there);
        here.setAttribute("here", 1);
        one.manager.save(here);
        here.setAttribute("name", "Grace");
        assertThrows(SessionNotSavedException.class, () -> one.manager.leave(here));
        assertEquals("Edsger", attribute(one, id, "name"));
        assertEquals(1, attribute(one, id, "here"));
    }

    @Test
    void onlyTheFirstServerCallsListenersIfTwoServersInvalidateASession() {
        String id = session();
        WebSession here = join(one, id);
        WebSession there = join(other, id);
        here.invalidate();
        there.invalidate();
        one.manager.leave(here);
        other.manager.leave(there);
        assertEquals(1, one.ends(), one.diary::toString);
        assertEquals(List.of(), other.diary);
        assertFalse(there.isValid());
    }

    @Test
    void aSessionIsStillValidIfTheStoreCannotDeleteIt() {
        String id = session();
        WebSession session = join(one, id);
        table.goAway();
        assertThrows(UncheckedIOException.class, session::invalidate);
        assertTrue(session.isValid());
        table.comeBack();
        session.invalidate();
        assertFalse(session.isValid());
        one.manager.leave(session);
        assertNull(one.manager.find(id));
    }

    @Test
    void aNewRequestDoesNotUseTheOutdatedSessionOfARunningRequest() {
        String id = session();
        WebSession runs = join(one, id);
        assertSame(runs, join(one, id));
        one.manager.leave(runs);
        WebSession there = join(other, id);
        there.setAttribute("name", "Grace");
        other.manager.leave(there);
        WebSession next = join(one, id);
        assertNotSame(runs, next);
        assertEquals("Grace", next.getAttribute("name"));
        assertEquals("Ada", runs.getAttribute("name"), "the session of the running request has changed");
        next.setAttribute("next", 1);
        runs.setAttribute("runs", 2);
        one.manager.leave(next);
        one.manager.leave(runs);
        for (SessionFixture server : List.of(one, other)) {
            assertEquals("Grace", attribute(server, id, "name"));
            assertEquals(1, attribute(server, id, "next"));
            assertEquals(2, attribute(server, id, "runs"));
        }
        assertEquals(1, one.manager.count(), "the number of copies of the session in memory");
    }

    @Test
    void aSessionIsNotFoundAfterAnotherServerHasEndedItEvenIfARequestStillUsesIt() {
        String id = session();
        WebSession runs = join(one, id);
        WebSession there = join(other, id);
        there.invalidate();
        other.manager.leave(there);
        assertNull(one.manager.find(id));
        runs.setAttribute("late", 1);
        one.manager.leave(runs);
        assertEquals(0, table.version(id));
        assertNull(one.manager.find(id));
        assertEquals(0, one.manager.count());
    }

    @Test
    void aLongRequestWithAnOutdatedCopyPreventsTheExpiryOfTheSession() {
        String id = session();
        WebSession runs = join(one, id);
        WebSession there = join(other, id);
        there.setAttribute("name", "Grace");
        other.manager.leave(there);
        one.manager.leave(join(one, id));
        for (int minutes = 0; minutes < 60; minutes += 10) {
            one.pass(Duration.ofMinutes(10));
            one.expire();
            other.pass(Duration.ofMinutes(10));
            other.expire();
        }
        one.manager.leave(runs);
        assertEquals("Grace", attribute(other, id, "name"));
    }

    @Test
    void findThrowsAnExceptionWhileTheStoreIsUnavailable() {
        String id = session();
        WebSession runs = join(one, id);
        table.goAway();
        assertThrows(UncheckedIOException.class, () -> one.manager.find(id));
        table.comeBack();
        assertSame(runs, join(one, id));
        one.manager.leave(runs);
        one.manager.leave(runs);
    }

    /** An attribute that runs an action when its session is loaded. */
    private static final class ActionAtLoad implements Serializable, HttpSessionActivationListener {
        private static final long serialVersionUID = 1L;
        private static final AtomicReference<Runnable> ACTION = new AtomicReference<>(() -> {});

        @Override
        public void sessionDidActivate(HttpSessionEvent event) {
            ACTION.getAndSet(() -> {}).run();
        }
    }

    @Test
    void aSessionDoesNotExpireIfAnotherServerUsesItDuringTheExpiryCheck() {
        String id = session();
        WebSession session = join(one, id);
        session.setAttribute("meanwhile", new ActionAtLoad());
        one.manager.leave(session);
        SessionFixture third = server();
        third.pass(Duration.ofMinutes(31));
        other.pass(Duration.ofMinutes(29));
        ActionAtLoad.ACTION.set(() -> other.manager.leave(join(other, id)));
        assertEquals("Ada", attribute(third, id, "name"));
        assertEquals(List.of(), third.diary);
    }

    @Test
    void concurrentRequestsFindASessionThatAnotherServerUsesDuringTheExpiryCheck() throws Exception {
        SessionFixture third = server();
        third.pass(Duration.ofMinutes(31));
        other.pass(Duration.ofMinutes(29));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 300; i++) {
                String id = session();
                WebSession session = join(one, id);
                session.setAttribute("meanwhile", new ActionAtLoad());
                one.manager.leave(session);
                ActionAtLoad.ACTION.set(() -> other.manager.leave(join(other, id)));
                CyclicBarrier together = new CyclicBarrier(2);
                Callable<Object> request = () -> {
                    together.await();
                    return attribute(third, id, "name");
                };
                for (Future<Object> answer : threads.invokeAll(List.of(request, request))) {
                    assertEquals("Ada", answer.get());
                }
            }
        } finally {
            threads.shutdown();
        }
        assertEquals(List.of(), third.diary);
    }

    @Test
    void aSessionIsNotStoredIfAListenerThrowsAnExceptionAtItsCreation() {
        one.whenCreated = () -> {
            throw new IllegalStateException("no more");
        };
        assertThrows(IllegalStateException.class, () -> one.manager.create());
        assertEquals(List.of(), table.changes());
        assertEquals(0, one.manager.count());
        assertEquals(List.of("created", "destroyed with []"), one.diary);
    }

    /** An attribute whose serialization waits for the test. */
    private static final class Slow implements Serializable {
        private static final long serialVersionUID = 1L;
        private static final CountDownLatch BEGUN = new CountDownLatch(1);
        private static final CountDownLatch CONTINUED = new CountDownLatch(1);

        private void writeObject(ObjectOutputStream out) throws IOException {
            BEGUN.countDown();
            try {
                assertTrue(CONTINUED.await(60, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            out.defaultWriteObject();
        }
    }

    /** A thread of the application can invalidate a session while the first part of the response is sent by another. */
    @Test
    void aSessionThatIsInvalidatedDuringItsFirstSaveDoesNotStayInTheStore() throws Exception {
        WebSession session = one.manager.create();
        session.setAttribute("slow", new Slow());
        Thread saving = new Thread(() -> one.manager.save(session));
        Thread ending = new Thread(session::invalidate);
        saving.start();
        assertTrue(Slow.BEGUN.await(60, TimeUnit.SECONDS));
        ending.start();
        Awaitility.await().until(() -> ending.getState() == Thread.State.BLOCKED);
        Slow.CONTINUED.countDown();
        saving.join();
        ending.join();
        one.manager.leave(session);
        assertNull(other.manager.find(session.getId()));
        assertEquals(1, one.ends());
    }

    /** An attribute that changes right after the server has read it for a save. */
    private static final class Changing implements Serializable {
        private static final long serialVersionUID = 1L;
        private final transient Runnable change;
        private final ArrayList<String> items = new ArrayList<>();

        private Changing(Runnable change) {
            this.change = change;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            change.run();
        }
    }

    /** An asynchronous thread of the application can have the session longer than its requests. */
    @Test
    void aChangeDuringTheLastSaveIsSavedByTheNextRequest() {
        String id = session();
        WebSession session = join(one, id);
        AtomicInteger saves = new AtomicInteger();
        session.setAttribute("changing", new Changing(() -> {
            if (saves.incrementAndGet() == 1) {
                ((Changing) session.getAttribute("changing")).items.add("late");
            }
        }));
        one.manager.leave(session);
        one.manager.leave(join(one, id));
        assertEquals(List.of("late"), ((Changing) attribute(other, id, "changing")).items);
    }

    @Test
    void aRequestWithoutChangesCanEndWhileTheStoreIsBlocked() throws Exception {
        String id = session();
        String another = session();
        WebSession unchanged = join(one, id);
        WebSession changed = join(one, another);
        changed.setAttribute("name", "Grace");
        CountDownLatch full = new CountDownLatch(2);
        CountDownLatch done = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 2; i++) {
                threads.execute(() -> stayInsideTheGate(full, done));
            }
            assertTrue(full.await(60, TimeUnit.SECONDS));
            one.manager.save(unchanged);
            one.manager.leave(unchanged);
            assertThrows(SessionNotSavedException.class, () -> one.manager.save(changed));
            assertThrows(SessionNotSavedException.class, () -> one.manager.leave(changed));
        } finally {
            done.countDown();
            threads.shutdown();
        }
    }

    /**
     * Enters the {@link StoreGate} of server {@code one}, which admits only two threads. Stays inside until the latch {@code done} is
     * counted down.
     */
    private void stayInsideTheGate(CountDownLatch full, CountDownLatch done) {
        try {
            one.store.admitted(() -> {
                full.countDown();
                try {
                    return done.await(60, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        } catch (StoreUnavailableException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anUnreadableAttributeIsCounted() {
        String id = session();
        SessionFixture former = server(ClassLoader.getPlatformClassLoader());
        attribute(former, id, "basket");
        assertEquals(1, counters.value(Counter.SESSION_ATTRIBUTES_UNREADABLE));
    }

    @Test
    void theStoreReceivesSessionKeysInsteadOfSessionIds() {
        String id = session();
        assertEquals(SessionKey.of(id), lastChange().key());
        assertFalse(lastChange().key().toString().contains(id));
    }

    private static SessionFixture limited(SessionRepository repository) {
        SessionLimits defaults = ServerConfig.defaults().sessions();
        SessionLimits limits = new SessionLimits(
                1,
                1,
                null,
                defaults.format(),
                defaults.storeThreads(),
                defaults.storeWait(),
                defaults.inMemory(),
                defaults.route());
        return new SessionFixture(repository, START, SessionLimit.onlyWaiting(limits, new Counters()));
    }

    /** Creates a session that waits for a login, and ends the request. */
    private static String waiting(SessionFixture server) {
        WebSession session = server.manager.create(null, new SessionManager.Wait(null, 300));
        server.manager.leave(session);
        return session.getId();
    }

    @Test
    void aWaitingSessionThatHadToGoIsDeletedFromTheStore() {
        one = limited(one.store);
        String first = waiting(one);
        assertNotNull(other.manager.find(first));
        String second = waiting(one);
        assertNull(one.manager.find(first));
        assertNull(other.manager.find(first));
        assertNotNull(other.manager.find(second));
        assertEquals(1, one.manager.waiting());
    }

    @Test
    void aSessionThatIsUsedAtAnotherServerDoesNotWaitAnyMore() {
        one = limited(one.store);
        String id = waiting(one);
        WebSession used = join(other, id);
        assertEquals(300, used.getMaxInactiveInterval());
        used.setAttribute("name", "Ada");
        assertEquals(30 * 60, used.getMaxInactiveInterval());
        other.manager.leave(used);
        waiting(one);
        waiting(one);
        assertEquals("Ada", attribute(one, id, "name"));
        assertEquals(1, one.ends());
    }

    /** Slow listeners of the session must not let it escape the limit. */
    @Test
    void aSessionThatHasToGoWhileItIsCreatedEnds() {
        one = limited(one.store);
        List<String> others = new ArrayList<>();
        one.whenCreated = () -> {
            if (others.isEmpty()) {
                others.add("");
                others.set(0, waiting(one));
            }
        };
        String overtaken = waiting(one);
        assertNull(one.manager.find(overtaken));
        assertNotNull(one.manager.find(others.get(0)));
        assertEquals(1, one.manager.waiting());
        assertEquals(1, one.ends());
    }
}
