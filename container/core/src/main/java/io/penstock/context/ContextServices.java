package io.penstock.context;

import io.penstock.session.MemorySessions;
import io.penstock.session.SessionLimit;
import io.penstock.session.SessionRepository;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What a context needs of the rest of the server.
 *
 * @param dispatchers makes its request dispatchers
 * @param contexts finds its neighbours
 * @param objects makes its servlets, filters and listeners
 * @param sessions keeps its sessions; its own, not shared with another context
 * @param room how many sessions it may have; its own
 * @param callbacks runs session listeners when sessions expire; a worker job
 * @param clock tells the time to its sessions
 */
public record ContextServices(
        DispatcherFactory dispatchers,
        ContextLookup contexts,
        ObjectFactory objects,
        SessionRepository sessions,
        SessionLimit room,
        Executor callbacks,
        InstantSource clock) {

    /** In-memory sessions, the system's clock, and callbacks on the thread that calls. */
    public static ContextServices defaults(DispatcherFactory dispatchers) {
        return new ContextServices(
                dispatchers,
                ContextLookup.NONE,
                ObjectFactory.REFLECTIVE,
                new MemorySessions(),
                SessionLimit.unlimited(),
                Runnable::run,
                InstantSource.system());
    }
}
