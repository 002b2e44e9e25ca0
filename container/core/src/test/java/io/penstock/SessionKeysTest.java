package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.deploy.Packing;
import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the keys for the time-out and the cookie of sessions. A key of the server is for applications that have no value of their own. A key
 * with a context path takes precedence over everything that the application says.
 */
class SessionKeysTest {
    private static final String ALL = "600 ALLID=; Path=/; HttpOnly; SameSite=Lax";
    private static final String OWN = "1200 OWNID=; Path=/own; HttpOnly; SameSite=Strict";
    private static final String OPERATOR = "1800 SHOPID=; Path=/s%20hop; HttpOnly; SameSite=None";

    @TempDir
    Path folder;

    /** Answers with the timeout of the session and whether the client has sent its id. */
    public static final class SessionServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int seconds = request.getSession().getMaxInactiveInterval();
            response.getOutputStream().print(seconds + (request.isRequestedSessionIdValid() ? " known" : ""));
        }
    }

    private static Penstock.Builder withKeys() {
        return local().set("session-timeout", "10m")
                .set("session-cookie-name", "ALLID")
                .set("session-cookie-path", "/")
                .set("session-cookie-same-site", "lax");
    }

    private static Penstock.Builder withKeysOf(String contextPath) {
        return withKeys()
                .set(contextPath + ":session-timeout", "30m")
                .set(contextPath + ":session-cookie-name", "SHOPID")
                .set(contextPath + ":session-cookie-path", "/s%20hop")
                .set(contextPath + ":session-cookie-same-site", "none");
    }

    private static Penstock.Builder local() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2);
    }

    private Path war(String sessionConfig) throws IOException {
        return Packing.empty()
                .withClasses("WEB-INF/classes/", SessionServlet.class)
                .with("WEB-INF/web.xml", """
                        <web-app version='6.1'><servlet><servlet-name>t</servlet-name><servlet-class>%s</servlet-class></servlet>
                        <servlet-mapping><servlet-name>t</servlet-name><url-pattern>/tell</url-pattern></servlet-mapping>%s</web-app>
                        """.formatted(SessionServlet.class.getName(), sessionConfig))
                .archive(folder.resolve("shop.war"));
    }

    private Path warWithOwnSettings() throws IOException {
        return war(
                "<session-config><session-timeout>20</session-timeout><cookie-config><name>OWNID</name><path>/own</path>"
                        + "<attribute><attribute-name>samesite</attribute-name><attribute-value>Strict</attribute-value></attribute>"
                        + "</cookie-config></session-config>");
    }

    private static void code(Context context) {
        context.servlet("t", new SessionServlet(), "/tell").initializer((classes, servletContext) -> {
            servletContext.setSessionTimeout(20);
            SessionCookieConfig cookie = servletContext.getSessionCookieConfig();
            cookie.setName("OWNID");
            cookie.setPath("/own");
            cookie.setAttribute("samesite", "Strict");
        });
    }

    /** The timeout in seconds, and the cookie without the id. */
    private static String told(Penstock server, String contextPath) throws IOException {
        RawExchange exchange = RawExchange.get(server, contextPath + "/tell");
        String cookie = exchange.values("Set-Cookie").get(0).replaceFirst("=[^;]*", "=");
        return exchange.body() + " " + cookie.replace("samesite", "SameSite");
    }

    @Test
    void theKeysOfTheServerAreForApplicationsWithoutValuesOfTheirOwn() throws Exception {
        try (Penstock server = withKeys()
                .war(
                        "/shop",
                        war(
                                "<session-config><cookie-config><http-only>true</http-only></cookie-config></session-config>"))
                .context("/code", context -> context.servlet("t", new SessionServlet(), "/tell"))
                .start()) {
            assertEquals(ALL, told(server, "/shop"));
            assertEquals(ALL, told(server, "/code"));
        }
    }

    @Test
    void anApplicationChangesTheValuesOfTheServer() throws Exception {
        try (Penstock server = withKeys()
                .war("/shop", warWithOwnSettings())
                .context("/code", SessionKeysTest::code)
                .start()) {
            assertEquals(OWN, told(server, "/shop"));
            assertEquals(OWN, told(server, "/code"));
        }
    }

    @Test
    void aProgramChangesTheTimeoutOfTheServerForAContext() throws Exception {
        try (Penstock server = withKeys()
                .context("/code", context -> context.sessionTimeout(Duration.ofHours(1))
                        .servlet("t", new SessionServlet(), "/tell"))
                .start()) {
            assertEquals("3600", RawExchange.get(server, "/code/tell").body());
        }
    }

    @Test
    void anApplicationCannotChangeTheValuesThatTheOperatorGivesToIt() throws Exception {
        try (Penstock server =
                withKeysOf("/shop").war("/shop", warWithOwnSettings()).start()) {
            assertEquals(OPERATOR, told(server, "/shop"));
        }
        try (Penstock server =
                withKeysOf("/code").context("/code", SessionKeysTest::code).start()) {
            assertEquals(OPERATOR, told(server, "/code"));
        }
    }

    private static Penstock.Builder withAttributes(Penstock.Builder server, String prefix) {
        return server.set(prefix + "session-cookie-domain", "example.org")
                .set(prefix + "session-cookie-max-age", "1h")
                .set(prefix + "session-cookie-http-only", "off")
                .set(prefix + "session-cookie-secure", "on")
                .set(prefix + "session-cookie-partitioned", "on");
    }

    private static final String ATTRIBUTES =
            "1800 JSESSIONID=; Path=/shop; Domain=example.org; Max-Age=3600; Expires=; Partitioned; Secure";

    private static String withoutDate(String told) {
        return told.replaceFirst("Expires=[^;]*", "Expires=");
    }

    @Test
    void theKeysSetAllAttributesOfTheCookie() throws Exception {
        for (String prefix : new String[] {"", "/shop:"}) {
            try (Penstock server =
                    withAttributes(local(), prefix).war("/shop", war("")).start()) {
                assertEquals(ATTRIBUTES, withoutDate(told(server, "/shop")));
            }
        }
    }

    private Path warWithOwnAttributes() throws IOException {
        return war("<session-config><cookie-config><domain>own.org</domain><http-only>true</http-only>"
                + "<secure>false</secure><max-age>60</max-age><attribute><attribute-name>partitioned</attribute-name>"
                + "<attribute-value>false</attribute-value></attribute></cookie-config></session-config>");
    }

    @Test
    void anApplicationChangesTheAttributesOfTheServerButNotThoseOfTheOperatorForIt() throws Exception {
        try (Penstock server =
                withAttributes(local(), "").war("/shop", warWithOwnAttributes()).start()) {
            assertEquals(
                    "1800 JSESSIONID=; Path=/shop; Domain=own.org; HttpOnly; Max-Age=60; Expires=",
                    withoutDate(told(server, "/shop")));
        }
        try (Penstock server = withAttributes(local(), "/shop:")
                .war("/shop", warWithOwnAttributes())
                .start()) {
            assertEquals(ATTRIBUTES, withoutDate(told(server, "/shop")));
        }
    }

    @Test
    void codeCannotChangeTheAttributesThatTheOperatorGives() throws Exception {
        try (Penstock server = withAttributes(local(), "/shop:")
                .set("/shop:session-tracking", "cookie")
                .context("/shop", context -> context.servlet("t", new SessionServlet(), "/tell")
                        .initializer((classes, servletContext) -> {
                            SessionCookieConfig cookie = servletContext.getSessionCookieConfig();
                            cookie.setDomain("own.org");
                            cookie.setHttpOnly(true);
                            cookie.setSecure(false);
                            cookie.setMaxAge(60);
                            cookie.setAttribute("partitioned", "false");
                            servletContext.setSessionTrackingModes(Set.of(SessionTrackingMode.URL));
                        }))
                .start()) {
            assertEquals(ATTRIBUTES, withoutDate(told(server, "/shop")));
        }
    }

    @Test
    void aMaxAgeOfZeroOfTheOperatorMakesACookieThatEndsWithTheBrowser() throws Exception {
        try (Penstock server = local().set("/shop:session-cookie-max-age", "0s")
                .war("/shop", warWithOwnAttributes())
                .start()) {
            assertEquals("1800 JSESSIONID=; Path=/shop; Domain=own.org; HttpOnly", told(server, "/shop"));
        }
    }

    @Test
    void withoutTrackingByUrlAnIdInTheUrlIsNoSession() throws Exception {
        try (Penstock server =
                local().set("session-tracking", "cookie").war("/shop", war("")).start()) {
            String id = RawExchange.get(server, "/shop/tell")
                    .values("Set-Cookie")
                    .get(0)
                    .split("[=;]")[1];
            assertEquals(
                    "1800 known",
                    RawExchange.get(server, "/shop/tell", "Cookie: JSESSIONID=" + id)
                            .body());
            assertEquals(
                    "1800",
                    RawExchange.get(server, "/shop/tell;jsessionid=" + id).body());
        }
        try (Penstock server = local().set("session-tracking", "cookie")
                .war("/shop", war("<session-config><tracking-mode>URL</tracking-mode></session-config>"))
                .start()) {
            assertEquals(List.of(), RawExchange.get(server, "/shop/tell").values("Set-Cookie"));
        }
    }

    @Test
    void aSessionIsFoundByTheConfiguredName() throws Exception {
        try (Penstock server = withKeys().war("/shop", war("")).start()) {
            String cookie = RawExchange.get(server, "/shop/tell")
                    .values("Set-Cookie")
                    .get(0)
                    .split(";")[0];
            assertEquals(
                    "600 known",
                    RawExchange.get(server, "/shop/tell", "Cookie: " + cookie).body());
            String parameter = ";" + cookie;
            assertEquals(
                    "600 known",
                    RawExchange.get(server, "/shop/tell" + parameter).body());
        }
    }

    @Test
    void withoutTheKeysTheCookieIsThatOfTheSpecification() throws Exception {
        try (Penstock server =
                local().set("session-timeout", "0s").war("/shop", war("")).start()) {
            assertEquals("0 JSESSIONID=; Path=/shop; HttpOnly", told(server, "/shop"));
        }
    }
}
