package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.environment.EnvironmentProvider;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Origin;
import io.penstock.memory.MemoryWatch;
import io.penstock.realm.Realm;
import io.penstock.server.Assembly;
import io.penstock.server.DeploymentFailurePolicy;
import io.penstock.server.Embedding;
import io.penstock.server.Listener;
import io.penstock.server.Server;
import io.penstock.server.Transport;
import io.penstock.tls.TestIdentity;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests applications that clients reach over TLS. */
final class HttpsTest {

    /** The code of a servlet. */
    private interface Service {
        void serve(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException;
    }

    private static HttpServlet servlet(Service service) {
        return new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws ServletException, IOException {
                service.serve(request, response);
            }
        };
    }

    /** A server with one application, and a client with one TLS connection. */
    private static final class Https implements AutoCloseable {
        private final Server server;
        private final SSLSocket client;

        Https(Realm realm, SSLContext client, Consumer<Context> definition) throws Exception {
            ConfigurationSources sources = new ConfigurationSources();
            sources.flag("workers", "2", new Origin.Code());
            Embedding parts = new Embedding(
                    null,
                    realm,
                    List.of(),
                    null,
                    EnvironmentProvider.ENTRIES_ONLY,
                    Map.of(),
                    new MemoryWatch(() -> {}),
                    null,
                    Transport.Binding.AT_ONCE);
            Listener listener = Listener.tls(
                    new InetSocketAddress("127.0.0.1", 0),
                    TestIdentity.engines(rules -> rules.setWantClientAuth(true)));
            server = new Server(new Assembly(Assembly.Role.SERVER, sources.resolve(), parts, List.of(listener)));
            Context context = new Context("/");
            definition.accept(context);
            server.start(List.of(context.wanted()), DeploymentFailurePolicy.NOBODY_SERVES);
            this.client = (SSLSocket) client.getSocketFactory()
                    .createSocket("127.0.0.1", server.address().getPort());
            this.client.setSoTimeout(60_000);
        }

        /** Sends a GET request, and returns the head and the body of the response as one string. */
        String get(String path) throws IOException {
            client.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder text = new StringBuilder();
            while (text.indexOf("\r\n\r\n") < 0) {
                text.append((char) client.getInputStream().read());
            }
            int length = Integer.parseInt(text.toString().replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
            return text + new String(client.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
        }

        String body(String path) throws IOException {
            String all = get(path);
            return all.substring(all.indexOf("\r\n\r\n") + 4);
        }

        @Override
        public void close() throws IOException {
            client.close();
            server.stop();
        }
    }

    @Test
    void aServletSeesTheSchemeAndTheCipherOfTheTlsConnection() throws Exception {
        try (Https https = new Https(
                GivenRealm.annAndBob(),
                TestIdentity.anonymousClient(),
                context -> context.servlet(
                        "s",
                        servlet((request, response) -> response.getWriter()
                                .print(request.isSecure() + " " + request.getRequestURL() + " "
                                        + request.getAttribute("jakarta.servlet.request.secure_protocol") + " "
                                        + request.getAttribute("jakarta.servlet.request.cipher_suite") + " "
                                        + request.getAttribute("jakarta.servlet.request.key_size"))),
                        "/s"))) {
            assertEquals("true https://x/s TLSv1.3 TLS_AES_256_GCM_SHA384 256", https.body("/s"));
        }
    }

    /** A realm that accepts one client certificate. */
    private static final class ByCertificate implements Realm {
        @Override
        public @Nullable User authenticate(String name, String password) {
            return null;
        }

        @Override
        public @Nullable User authenticate(List<X509Certificate> chain) {
            String subject = chain.get(0).getSubjectX500Principal().toString();
            return subject.equals("CN=Penstock test client") ? new User("robot", Set.of("staff")) : null;
        }
    }

    @Test
    void aClientCanLogInWithACertificate() throws Exception {
        Consumer<Context> staff = context -> context.servlet("staff", new WhoServlet(), "/staff")
                .constrain("/staff", "staff")
                .certificateLogin();
        try (Https https = new Https(new ByCertificate(), TestIdentity.client(), staff)) {
            assertEquals("reached by robot/robot/CLIENT_CERT/staff=true", https.body("/staff"));
        }
        try (Https https = new Https(new ByCertificate(), TestIdentity.anonymousClient(), staff)) {
            assertTrue(https.get("/staff").startsWith("HTTP/1.1 403"));
        }
    }

    /**
     * The TLS session identifies the logged-in user. So a later request for the protected page contains no session id and no password. For
     * this request, the server must find the login by the TLS session, and must not answer 401.
     */
    @Test
    void theTlsSessionIdentifiesALoggedInUser() throws Exception {
        ServletContextListener bySsl = new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                event.getServletContext().setSessionTrackingModes(EnumSet.of(SessionTrackingMode.SSL));
            }
        };
        try (Https https =
                new Https(GivenRealm.annAndBob(), TestIdentity.anonymousClient(), context -> context.listener(bySsl)
                        .servlet(
                                "login",
                                servlet((request, response) -> {
                                    request.login("ann", "secret");
                                    response.getWriter().print("in");
                                }),
                                "/login")
                        .servlet("staff", new WhoServlet(), "/staff")
                        .constrain("/staff", "staff")
                        .basicLogin("x"))) {
            assertTrue(https.get("/staff").startsWith("HTTP/1.1 401"));
            assertEquals("in", https.body("/login"));
            assertTrue(https.body("/staff").startsWith("reached by ann/"));
        }
    }
}
