package io.penstock.session;

import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the attributes of a session that want to know that they are about to become bytes, or have just been made of bytes
 * (Servlet 6.1, 7.7.2). What one throws is logged: it happens outside of every call of the application.
 */
final class Passivation {
    private static final Logger LOG = LoggerFactory.getLogger(Passivation.class);

    private Passivation() {}

    static void willPassivate(WebSession session) {
        tell(session, HttpSessionActivationListener::sessionWillPassivate);
    }

    static void didActivate(WebSession session) {
        tell(session, HttpSessionActivationListener::sessionDidActivate);
    }

    private static void tell(WebSession session, BiConsumer<HttpSessionActivationListener, HttpSessionEvent> call) {
        session.state().attributes().forEach((name, value) -> {
            if (value instanceof HttpSessionActivationListener listener) {
                try {
                    call.accept(listener, new HttpSessionEvent(session));
                } catch (RuntimeException | Error e) {
                    LOG.error("Session attribute {} failed as its session was moved", name, e);
                }
            }
        });
    }
}
