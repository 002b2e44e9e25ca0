package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.servlet.ServletRequestAttributeEvent;
import jakarta.servlet.ServletRequestAttributeListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests exceptions of listeners (Servlet 6.1, section 11.6). If the application calls a method such as {@code setAttribute} and the call
 * triggers a listener, the application gets the exception of the listener. The server logs other exceptions of listeners.
 */
final class ListenerFailureTest {
    private final List<String> heard = new ArrayList<>();

    private static IllegalStateException failure() {
        return new IllegalStateException("exception of a listener");
    }

    @Test
    void anExceptionOfASessionAttributeListenerIsThrownToTheCallerAndLaterListenersAreNotCalled() {
        try (App app = new App()) {
            app.listener(new HttpSessionAttributeListener() {
                @Override
                public void attributeAdded(HttpSessionBindingEvent event) {
                    throw failure();
                }
            });
            app.listener(new HttpSessionAttributeListener() {
                @Override
                public void attributeAdded(HttpSessionBindingEvent event) {
                    heard.add("added");
                }
            });
            app.servlet("/s", (request, response) -> request.getSession().setAttribute("a", 1));
            app.start();
            assertEquals(500, app.get("/app/s").status());
            assertEquals(List.of(), heard);
        }
    }

    @Test
    void anExceptionOfARequestAttributeListenerIsThrownToTheCaller() {
        try (App app = new App()) {
            app.listener(new ServletRequestAttributeListener() {
                @Override
                public void attributeAdded(ServletRequestAttributeEvent event) {
                    throw failure();
                }
            });
            app.servlet(
                    "/s",
                    (request, response) ->
                            assertThrows(IllegalStateException.class, () -> request.setAttribute("a", 1)));
            app.start();
            assertEquals(200, app.get("/app/s").status());
        }
    }

    @Test
    void aValueIsNotStoredIfItsValueBoundMethodThrows() {
        try (App app = new App()) {
            app.servlet("/s", (request, response) -> {
                HttpSession session = request.getSession();
                HttpSessionBindingListener refusing = new HttpSessionBindingListener() {
                    @Override
                    public void valueBound(HttpSessionBindingEvent event) {
                        heard.add("there already: " + event.getSession().getAttribute("a"));
                        throw failure();
                    }
                };
                assertThrows(IllegalStateException.class, () -> session.setAttribute("a", refusing));
                response.getWriter().print(session.getAttribute("a"));
            });
            app.start();
            assertEquals("null", app.get("/app/s").text());
            assertEquals(List.of("there already: null"), heard);
        }
    }

    @Test
    void sessionValuesAreUnboundAlthoughASessionListenerThrows() {
        try (App app = new App()) {
            app.listener(new HttpSessionListener() {
                @Override
                public void sessionDestroyed(HttpSessionEvent event) {
                    throw failure();
                }
            });
            app.servlet("/s", (request, response) -> {
                HttpSession session = request.getSession();
                session.setAttribute("a", new HttpSessionBindingListener() {
                    @Override
                    public void valueUnbound(HttpSessionBindingEvent event) {
                        heard.add("unbound");
                        throw failure();
                    }
                });
                assertThrows(IllegalStateException.class, session::invalidate);
                assertThrows(IllegalStateException.class, session::isNew);
                response.getWriter().print(request.getSession(false));
            });
            app.start();
            assertEquals("null", app.get("/app/s").text());
            assertEquals(List.of("unbound"), heard);
        }
    }

    @Test
    void otherRequestListenersAreNotifiedAfterAnExceptionOfARequestListener() {
        try (App app = new App()) {
            app.listener(new ServletRequestListener() {
                @Override
                public void requestDestroyed(ServletRequestEvent event) {
                    heard.add("first");
                }
            });
            app.listener(new ServletRequestListener() {
                @Override
                public void requestDestroyed(ServletRequestEvent event) {
                    throw failure();
                }
            });
            app.servlet("/s", (request, response) -> response.getWriter().print("fine"));
            app.start();
            assertEquals("fine", app.get("/app/s").text());
            assertEquals(List.of("first"), heard);
        }
    }
}
