package io.penstock.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session manager for tests. The test sets the clock of the manager. The list {@code diary} records the events of sessions. */
final class SessionFixture implements InstantSource, SessionEvents {
    final List<String> diary = Collections.synchronizedList(new ArrayList<>());
    final List<Runnable> submittedJobs = new ArrayList<>();
    final SessionRepository store;
    final ServletContext context = (ServletContext) Proxy.newProxyInstance(
            SessionFixture.class.getClassLoader(), new Class<?>[] {ServletContext.class}, (proxy, method, args) -> {
                throw new UnsupportedOperationException(method.getName());
            });
    final SessionManager manager;
    /** An action that runs when a session is created. */
    Runnable whenCreated = () -> {};

    private volatile Instant now;

    SessionFixture() {
        this(new MemorySessions(), Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** Creates a session manager for the sessions in {@code store}. These can be sessions of an earlier context. */
    SessionFixture(SessionRepository store, Instant start) {
        this(store, start, SessionLimit.unlimited());
    }

    SessionFixture(SessionRepository store, Instant start, SessionLimit limit) {
        this.store = store;
        this.now = start;
        this.manager = new SessionManager(context, store, limit, this, this, submittedJobs::add);
    }

    /** Returns the number of ended sessions in the diary. */
    int ends() {
        return (int)
                diary.stream().filter(entry -> entry.startsWith("destroyed")).count();
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    /**
     * Calls {@link SessionManager#expire}, like the scheduler of a server. Then runs the jobs that the manager has submitted to the
     * executor.
     */
    void expire() {
        manager.expire();
        List<Runnable> jobs = List.copyOf(submittedJobs);
        submittedJobs.clear();
        jobs.forEach(Runnable::run);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public void created(HttpSession session) {
        diary.add("created");
        whenCreated.run();
    }

    @Override
    public void destroyed(HttpSession session) {
        diary.add("destroyed with " + Collections.list(session.getAttributeNames()));
    }

    @Override
    public void idChanged(HttpSession session, String oldId) {
        diary.add("id changed");
    }

    @Override
    public void attributeBound(HttpSession session, String name, Object value, @Nullable Object old) {
        diary.add(old == null ? "added " + name : "replaced " + name);
    }

    @Override
    public void attributeRemoved(HttpSession session, String name, Object value) {
        diary.add("removed " + name);
    }
}
