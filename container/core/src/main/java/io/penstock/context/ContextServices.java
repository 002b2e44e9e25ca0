package io.penstock.context;

import io.penstock.session.MemorySessions;
import io.penstock.session.SessionLimit;
import io.penstock.session.SessionRepository;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * The parts of the server that a context uses.
 *
 * @param dispatchers creates the context's request dispatchers
 * @param contexts finds other contexts of the server
 * @param objects creates the context's servlets, filters and listeners
 * @param sessions stores the context's sessions; each context has its own store
 * @param sessionLimit limits the number of the context's sessions; each context has its own limit
 * @param sessionRoute the suffix of the session ids that are sent to clients, after a dot; empty for no suffix
 * @param webSockets the WebSocket sessions of the server
 * @param callbacks runs the session listeners on worker threads when sessions expire
 * @param clock the clock for the context's sessions, and for servlets that are unavailable for a time
 */
public record ContextServices(
        DispatcherFactory dispatchers,
        ContextLookup contexts,
        ObjectFactory objects,
        SessionRepository sessions,
        SessionLimit sessionLimit,
        String sessionRoute,
        OpenWebSockets webSockets,
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
                OpenWebSockets.unlimited(),
                Runnable::run,
                InstantSource.system());
    }
}
