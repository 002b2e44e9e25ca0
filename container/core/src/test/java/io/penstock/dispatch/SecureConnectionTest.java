package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.CookieSettings;
import io.penstock.context.SessionSettings;
import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import io.penstock.limits.ApplicationSettings.SessionRules;
import io.penstock.reactor.TlsSession;
import io.penstock.session.AttributeValues;
import jakarta.servlet.SessionTrackingMode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the request attributes of a TLS connection, and the tracking of sessions by TLS (Servlet 6.1, sections 3.10 and 7.1.2). */
final class SecureConnectionTest {
    private static final TlsSession TLS = new TlsSession("TLSv1.3", "TLS_AES_256_GCM_SHA384", 256, "0a1b2c", List.of());
    private static final TlsSession OTHER =
            new TlsSession("TLSv1.3", "TLS_AES_256_GCM_SHA384", 256, "0d0e0f", List.of());

    private static App trackedBySsl() {
        return new App(
                "/app",
                settings -> settings.sessions(new SessionSettings(
                        30,
                        CookieSettings.defaults(),
                        Set.of(SessionTrackingMode.SSL),
                        AttributeValues.ANY,
                        SessionRules.NONE)));
    }

    private static FakeResponse get(App app, String path, TlsSession tls) {
        return app.serve(FakeExchange.of("GET " + path).over(tls));
    }

    @Test
    void theRequestHasAttributesOfItsTlsConnection() {
        try (App app = new App()) {
            app.servlet("/s", (request, response) -> {
                assertTrue(request.isSecure());
                assertEquals("https", request.getScheme());
                response.getWriter()
                        .print(request.getAttribute("jakarta.servlet.request.secure_protocol") + " "
                                + request.getAttribute("jakarta.servlet.request.cipher_suite") + " "
                                + request.getAttribute("jakarta.servlet.request.key_size") + " "
                                + request.getAttribute("jakarta.servlet.request.ssl_session_id") + " "
                                + request.getAttribute("jakarta.servlet.request.X509Certificate"));
            });
            app.start();
            assertEquals(
                    "TLSv1.3 TLS_AES_256_GCM_SHA384 256 0a1b2c null",
                    get(app, "/app/s", TLS).text());
        }
    }

    @Test
    void redirectUrlsAndRequestUrlsBeginWithTheSchemeOfTheConnection() {
        try (App app = new App()) {
            app.servlet("/away", (request, response) -> response.sendRedirect("//other/x"));
            app.servlet("/s", (request, response) -> response.getWriter()
                    .print(request.getRequestURL() + " "
                            + request.getServletConnection().isSecure() + " " + request.getServerPort()));
            app.start();
            assertEquals(
                    "https://other/x",
                    get(app, "/app/away", TLS).head().fields().first("Location"));
            assertEquals(
                    "https://example.test/app/s true 443",
                    get(app, "/app/s", TLS).text());
            assertEquals("http://example.test/app/s false 80", app.get("/app/s").text());
        }
    }

    @Test
    void aRequestWithoutTlsHasNoTlsAttributes() {
        try (App app = new App()) {
            app.servlet(
                    "/s",
                    (request, response) -> assertNull(request.getAttribute("jakarta.servlet.request.cipher_suite")));
            app.start();
            assertEquals(200, app.get("/app/s").status());
        }
    }

    @Test
    void aSessionTrackedBySslBelongsToTheTlsSession() {
        try (App app = trackedBySsl()) {
            app.servlet("/begin", (request, response) -> request.getSession().setAttribute("name", "Ada"));
            app.servlet("/show", (request, response) -> response.getWriter()
                    .print(
                            request.getSession(false) == null
                                    ? "none"
                                    : request.getSession(false).getAttribute("name") + " "
                                            + request.isRequestedSessionIdValid() + " "
                                            + request.isRequestedSessionIdFromCookie()));
            app.start();
            assertNull(get(app, "/app/begin", TLS).head().fields().first("Set-Cookie"));
            assertEquals("Ada true false", get(app, "/app/show", TLS).text());
            assertEquals("none", get(app, "/app/show", OTHER).text());
            assertEquals("none", app.get("/app/show").text());
            assertEquals(
                    "none", app.get("/app/show", "Cookie: JSESSIONID=0a1b2c").text());
        }
    }

    /** A missing TLS session id must not identify an HTTP session. Otherwise, clients without a TLS session id would share a session. */
    @Test
    void aTlsSessionWithoutAnIdHasNoHttpSession() {
        TlsSession nameless = new TlsSession("TLSv1.3", "TLS_AES_256_GCM_SHA384", 256, "", List.of());
        try (App app = trackedBySsl()) {
            app.servlet("/begin", (request, response) -> request.getSession().setAttribute("name", "Ada"));
            app.servlet("/show", (request, response) -> response.getWriter()
                    .print(request.getSession(false) + " " + request.getRequestedSessionId() + " "
                            + request.getAttribute("jakarta.servlet.request.ssl_session_id")));
            app.start();
            assertEquals(200, get(app, "/app/begin", nameless).status());
            assertEquals("null null null", get(app, "/app/show", nameless).text());
        }
    }

    @Test
    void changeSessionIdDoesNotChangeTheIdOfASessionTrackedBySsl() {
        try (App app = trackedBySsl()) {
            app.servlet("/login", (request, response) -> {
                request.getSession();
                response.getWriter().print(request.changeSessionId());
            });
            app.start();
            assertEquals("0a1b2c", get(app, "/app/login", TLS).text());
        }
    }
}
