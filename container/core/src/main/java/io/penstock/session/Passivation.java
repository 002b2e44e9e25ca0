package io.penstock.session;

import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the session attributes that are {@link HttpSessionActivationListener}s (Servlet 6.1, section 7.7.2). Exceptions are logged, since no call
 * of the application has caused them.
 */
final class Passivation {
    private static final Logger LOG = LoggerFactory.getLogger(Passivation.class);

    private Passivation() {}

    static void willPassivate(WebSession session) {
        callAll(session, HttpSessionActivationListener::sessionWillPassivate);
    }

    static void didActivate(WebSession session) {
        callAll(session, HttpSessionActivationListener::sessionDidActivate);
    }

    private static void callAll(WebSession session, BiConsumer<HttpSessionActivationListener, HttpSessionEvent> call) {
        session.state().attributes().forEach((name, value) -> {
            if (value instanceof HttpSessionActivationListener listener) {
                // The listener may change its own attribute, so the attribute must be compared with the store again.
                session.touched();
                try {
                    call.accept(listener, new HttpSessionEvent(session));
                } catch (Throwable e) {
                    LOG.error("Session attribute {} failed in its activation listener", name, e);
                }
            }
        });
    }
}
