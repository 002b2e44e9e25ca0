package io.penstock.context;

import io.penstock.session.SessionEvents;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import org.jspecify.annotations.Nullable;

/** Calls the session listeners of a context. Thread: any worker thread. */
final class SessionListeners implements SessionEvents {
    private final Listeners listeners;

    SessionListeners(Listeners listeners) {
        this.listeners = listeners;
    }

    @Override
    public void created(HttpSession session) {
        Listeners.callAll(
                listeners.table().sessions(), new HttpSessionEvent(session), HttpSessionListener::sessionCreated);
    }

    @Override
    public void destroyed(HttpSession session) {
        Listeners.callInReverse(
                listeners.table().sessions(), new HttpSessionEvent(session), HttpSessionListener::sessionDestroyed);
    }

    @Override
    public void idChanged(HttpSession session, String oldId) {
        Listeners.callAll(
                listeners.table().sessionIds(),
                new HttpSessionEvent(session),
                (listener, event) -> listener.sessionIdChanged(event, oldId));
    }

    @Override
    public void attributeBound(HttpSession session, String name, Object value, @Nullable Object old) {
        if (old == null) {
            Listeners.callAll(
                    listeners.table().sessionAttributes(),
                    new HttpSessionBindingEvent(session, name, value),
                    HttpSessionAttributeListener::attributeAdded);
        } else {
            Listeners.callAll(
                    listeners.table().sessionAttributes(),
                    new HttpSessionBindingEvent(session, name, old),
                    HttpSessionAttributeListener::attributeReplaced);
        }
    }

    @Override
    public void attributeRemoved(HttpSession session, String name, Object value) {
        Listeners.callAll(
                listeners.table().sessionAttributes(),
                new HttpSessionBindingEvent(session, name, value),
                HttpSessionAttributeListener::attributeRemoved);
    }
}
