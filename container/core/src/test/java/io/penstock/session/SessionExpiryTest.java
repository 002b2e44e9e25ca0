package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/**
 * Tests the expiry of sessions (Servlet 6.1, section 7.5). The maximum inactive interval begins at the start of the last request. A session does
 * not expire while a request uses the session.
 */
final class SessionExpiryTest {
    private final SessionFixture fixture = new SessionFixture();
    private final SessionManager manager = fixture.manager;

    private WebSession unusedSession() {
        WebSession session = manager.create();
        session.setMaxInactiveInterval(60);
        manager.leave(session);
        return session;
    }

    @Test
    void anUnusedSessionExpiresAfterItsMaxInactiveInterval() {
        WebSession session = unusedSession();
        fixture.pass(Duration.ofSeconds(59));
        fixture.expire();
        assertTrue(session.isValid());
        fixture.pass(Duration.ofSeconds(1));
        fixture.expire();
        assertFalse(session.isValid());
        assertEquals(List.of("created", "destroyed with []"), fixture.diary);
        assertTrue(fixture.store.transientIds().isEmpty());
    }

    @Test
    void aSessionDoesNotExpireWhileARequestUsesIt() {
        WebSession session = manager.create();
        session.setMaxInactiveInterval(60);
        fixture.pass(Duration.ofHours(1));
        fixture.expire();
        assertTrue(session.isValid());
        manager.leave(session);
        fixture.expire();
        assertFalse(session.isValid(), "the session has not expired after the last request has ended");
    }

    @Test
    void anExpiredSessionIsEndedByALookUp() {
        WebSession session = unusedSession();
        fixture.pass(Duration.ofSeconds(60));
        assertNull(manager.find(session.getId()));
        assertFalse(session.isValid());
        assertEquals(List.of("created", "destroyed with []"), fixture.diary);
        fixture.expire();
        assertEquals(2, fixture.diary.size(), "the session must end only once");
    }

    @Test
    void aRequestDelaysTheExpiryOfItsSession() {
        WebSession session = unusedSession();
        fixture.pass(Duration.ofSeconds(50));
        WebSession joined = manager.find(session.getId());
        assertNotNull(joined);
        manager.leave(joined);
        fixture.pass(Duration.ofSeconds(50));
        fixture.expire();
        assertTrue(session.isValid());
    }

    @Test
    void aSessionWithAMaxInactiveIntervalOfZeroOrLessNeverExpires() {
        for (int interval : new int[] {0, -1}) {
            WebSession session = unusedSession();
            session.setMaxInactiveInterval(interval);
            fixture.pass(Duration.ofDays(3650));
            fixture.expire();
            assertTrue(session.isValid());
        }
    }

    @Test
    void newSessionsHaveTheDefaultMaxInactiveInterval() {
        manager.defaultMaxInactiveInterval(7);
        assertEquals(7, manager.create().getMaxInactiveInterval());
    }

    @Test
    void twoCallsOfExpireSubmitOneScanAndEndNoSessionBeforeTheScanRuns() {
        WebSession session = unusedSession();
        fixture.pass(Duration.ofSeconds(60));
        manager.expire();
        manager.expire();
        assertTrue(session.isValid());
        assertEquals(1, fixture.submittedJobs.size(), "a second scan was submitted before the first scan had ended");
    }

    @Test
    void aRejectedScanIsSubmittedAgainByTheNextCallOfExpire() {
        int[] tries = {0};
        SessionManager refused =
                new SessionManager(fixture.context, fixture.store, SessionLimit.unlimited(), fixture, fixture, job -> {
                    tries[0]++;
                    throw new RejectedExecutionException("full");
                });
        refused.expire();
        refused.expire();
        assertEquals(2, tries[0]);
    }
}
