package io.penstock;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.deploy.Packing;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the settings of one application. A setting comes from a key with the context path, such as {@code /shop:session-timeout}, or from a
 * method of {@link Context}.
 */
class SettingsOfOneApplicationTest {
    private static final String CONFIGURED = "1200 smtp.example.com UTF-8 UTF-16";
    private static final String DEFAULT = "1800 none none none";

    @TempDir
    Path folder;

    private Path files;

    /** Writes the settings of the application. */
    public static final class SettingsServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ServletContext context = getServletContext();
            String told = request.getSession().getMaxInactiveInterval() + " "
                    + shown(context.getInitParameter("mail.host"))
                    + " " + shown(context.getRequestCharacterEncoding())
                    + " " + shown(context.getResponseCharacterEncoding());
            response.getOutputStream().print(told);
        }

        private static String shown(String value) {
            return value == null ? "none" : value;
        }
    }

    private static Packing packed() {
        return Packing.empty().with("page.html", "x");
    }

    @BeforeEach
    void write() throws IOException {
        files = packed().folder(folder.resolve("files"));
    }

    private Path war() throws IOException {
        return packed().withClasses("WEB-INF/classes/", SettingsServlet.class)
                .with(
                        "WEB-INF/web.xml",
                        "<web-app version='6.1'><servlet><servlet-name>t</servlet-name><servlet-class>"
                                + SettingsServlet.class.getName() + "</servlet-class></servlet><servlet-mapping>"
                                + "<servlet-name>t</servlet-name><url-pattern>/tell</url-pattern></servlet-mapping>"
                                + "</web-app>")
                .archive(folder.resolve("shop.war"));
    }

    private Consumer<Context> application(Consumer<Context> more) {
        return context -> {
            context.servlet("t", new SettingsServlet(), "/tell").resources(files);
            more.accept(context);
        };
    }

    private static Penstock.Builder local() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2);
    }

    private static Penstock.Builder withKeys(String contextPath) {
        return local().set(contextPath + ":session-timeout", "20m")
                .set(contextPath + ":context-param.mail.host", "smtp.example.com")
                .set(contextPath + ":request-encoding", "UTF-8")
                .set(contextPath + ":response-encoding", "UTF-16")
                .set(contextPath + ":file-encoding", "ISO-8859-1");
    }

    private static void assertSettings(Penstock server, String contextPath, String told, String typeOfPage)
            throws IOException {
        assertEquals(told, RawExchange.get(server, contextPath + "/tell").body());
        assertEquals(
                List.of(typeOfPage),
                RawExchange.get(server, contextPath + "/page.html").values("Content-Type"));
    }

    @Test
    void settingsOfOneArchiveDoNotApplyToAnotherArchive() throws Exception {
        Path war = war();
        try (Penstock server =
                withKeys("/shop").war("/shop", war).war("/blog", war).start()) {
            assertSettings(server, "/shop", CONFIGURED, "text/html;charset=ISO-8859-1");
            assertSettings(server, "/blog", DEFAULT, "text/html");
        }
    }

    @Test
    void settingsApplyToAnArchiveThatIsDeployedAfterTheServerStarts() throws Exception {
        try (Penstock server = withKeys("/shop").start()) {
            server.deploy("/shop", war());
            assertSettings(server, "/shop", CONFIGURED, "text/html;charset=ISO-8859-1");
        }
    }

    @Test
    void settingsOfOneContextDefinedInCodeDoNotApplyToAnotherContext() throws Exception {
        try (Penstock server = withKeys("/")
                .context("/", application(context -> {}))
                .context("/blog", application(context -> {}))
                .start()) {
            assertSettings(server, "", CONFIGURED, "text/html;charset=ISO-8859-1");
            assertSettings(server, "/blog", DEFAULT, "text/html");
        }
    }

    @Test
    void theMethodsOfContextChangeTheSameSettingsAsTheKeys() throws Exception {
        try (Penstock server = local().context(
                        "/shop", application(context -> context.sessionTimeout(Duration.ofMinutes(20))
                                .initParam("mail.host", "smtp.example.com")
                                .requestEncoding(UTF_8)
                                .responseEncoding(UTF_16)
                                .fileEncoding(ISO_8859_1)))
                .start()) {
            assertSettings(server, "/shop", CONFIGURED, "text/html;charset=ISO-8859-1");
        }
    }

    @Test
    void theKeysTakePrecedenceOverTheMethodsOfContext() throws Exception {
        Charset other = Charset.forName("windows-1252");
        try (Penstock server = withKeys("/shop")
                .context("/shop", application(context -> context.sessionTimeout(Duration.ZERO)
                        .initParam("mail.host", "other.example.com")
                        .requestEncoding(other)
                        .responseEncoding(other)
                        .fileEncoding(other)))
                .start()) {
            assertSettings(server, "/shop", CONFIGURED, "text/html;charset=ISO-8859-1");
        }
    }

    @Test
    void aSessionTimeoutOfZeroMeansThatSessionsNeverExpire() throws Exception {
        try (Penstock server = local().context("/shop", application(context -> context.sessionTimeout(Duration.ZERO)))
                .start()) {
            assertSettings(server, "/shop", "0 none none none", "text/html");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1M", "PT59S", "PT1M0.001S"})
    void aSessionTimeoutIsRejectedIfItIsNegativeOrNotInWholeMinutes(Duration time) {
        assertThrows(IllegalArgumentException.class, () -> local().context(
                        "/shop", context -> context.sessionTimeout(time)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /shop:session-timeuot  | 20m   | unknown key 'session-timeuot' of the application /shop; did you mean 'session-timeout'?
        /shop:session-timeout  | 20    | /shop:session-timeout: '20' is not a time such as 500ms, 20s, 5m or 1h
        /shop:file-encoding    | latin | /shop:file-encoding: must be a charset such as UTF-8, not 'latin'
        """)
    void theServerDoesNotStartIfAKeyOrValueIsInvalid(String key, String value, String message) {
        Penstock.Builder builder = local().set(key, value).context("/shop", application(context -> {}));
        assertEquals(
                message + " (from code)",
                assertThrows(StartException.class, builder::start).getMessage());
        assertEquals(List.of(message + " (from code)"), builder.check());
    }

    @Test
    void theCheckFindsAnEnvironmentEntryThatIsNotOfItsType() throws Exception {
        String problem = ": code: env.limit: <env-entry-value> is not a java.lang.Integer: 'many'";
        Path war = war();
        assertEquals(
                List.of(war + problem, "context /code" + problem),
                local().set("/shop:env.limit", "many")
                        .set("/shop:env-type.limit", "java.lang.Integer")
                        .set("/code:env.limit", "many")
                        .set("/code:env-type.limit", "java.lang.Integer")
                        .war("/shop", war)
                        .context("/code", application(context -> {}))
                        .check());
    }

    /** What the file protects must not stay open because the folder has no descriptor of its own. */
    @Test
    void anOverridingDescriptorAlsoHoldsForAFolderWithoutADescriptor() throws Exception {
        Path descriptor = Files.writeString(folder.resolve("o.xml"), """
            <web-app version='6.1'><security-constraint><web-resource-collection>
            <web-resource-name>all</web-resource-name><url-pattern>/secret/*</url-pattern></web-resource-collection>
            <auth-constraint/></security-constraint>
            <mime-mapping><extension>html</extension><mime-type>application/x-own</mime-type></mime-mapping></web-app>
            """);
        Path plain = packed().with("secret/a.txt", "secret").folder(folder.resolve("plain"));
        try (Penstock server = local().set("/shop:override-web-xml", descriptor.toString())
                .war("/shop", plain)
                .start()) {
            RawExchange page = RawExchange.get(server, "/shop/page.html");
            assertEquals("x", page.body());
            assertEquals(List.of("application/x-own"), page.values("Content-Type"));
            assertEquals(403, RawExchange.get(server, "/shop/secret/a.txt").status());
        }
    }

    @Test
    void anOverridingDescriptorForAContextOfAProgramIsRefused() {
        StartException e = assertThrows(StartException.class, () -> local().set("/shop:override-web-xml", "o.xml")
                .context("/shop", application(context -> {}))
                .start());
        assertEquals(
                "context /shop: override-web-xml: a program makes this context, and it has no descriptor (from code)",
                e.getMessage());
    }
}
