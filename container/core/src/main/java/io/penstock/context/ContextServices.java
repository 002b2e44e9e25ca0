package io.penstock.context;

import io.penstock.session.MemorySessions;
import io.penstock.session.SessionLimit;
import io.penstock.session.SessionRepository;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * The parts of the server that a context uses.
 *
 * @param dispatchers creates its request dispatchers
 * @param contexts finds other contexts of the server
 * @param objects creates its servlets, filters and listeners
 * @param sessions stores its sessions; each context has its own store
 * @param sessionLimit limits the number of its sessions; each context has its own limit
 * @param sessionRoute a suffix of the session ids that clients get, after a dot; empty for none
 * @param callbacks runs session listeners when sessions expire, as jobs of workers
 * @param clock the clock for its sessions, and for servlets that are unavailable for a time
 */
public record ContextServices(
        DispatcherFactory dispatchers,
        ContextLookup contexts,
        ObjectFactory objects,
        SessionRepository sessions,
        SessionLimit sessionLimit,
        String sessionRoute,
        Executor callbacks,
        InstantSource clock) {

    /** Services with sessions in memory, the system's clock, and callbacks on the calling thread. */
    public static ContextServices defaults(DispatcherFactory dispatchers) {
        return new ContextServices(
                dispatchers,
                ContextLookup.NONE,
                ObjectFactory.REFLECTIVE,
                new MemorySessions(),
                SessionLimit.unlimited(),
                "",
                Runnable::run,
                InstantSource.system());
    }
}
