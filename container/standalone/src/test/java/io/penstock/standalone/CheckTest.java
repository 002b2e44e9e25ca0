package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.shop.OrdersServlet;
import com.example.shop.StartRecordingListener;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests {@code --check}. The check prints one line for each error that would prevent a start, and sets the exit code. The check opens no
 * port, and starts no application.
 */
class CheckTest {
    @TempDir
    Path folder;

    @AfterEach
    void resetStarted() {
        System.clearProperty(StartRecordingListener.STARTED);
    }

    private Path application(String name, String descriptor) throws IOException {
        Path webInf = Files.createDirectories(folder.resolve(name).resolve("WEB-INF"));
        Files.writeString(webInf.resolve("web.xml"), "<web-app>\n" + descriptor + "\n</web-app>");
        for (Class<?> type : List.of(StartRecordingListener.class, OrdersServlet.class)) {
            String file = type.getName().replace('.', '/') + ".class";
            Path copy = webInf.resolve("classes").resolve(file);
            Files.createDirectories(copy.getParent());
            try (var in = type.getClassLoader().getResourceAsStream(file)) {
                Files.write(copy, in.readAllBytes());
            }
        }
        return folder.resolve(name);
    }

    @Test
    void aValidCommandLineLeadsToExitCode0AndStartsNoApplication() throws Exception {
        Path shop = application(
                "shop",
                "<listener><listener-class>" + StartRecordingListener.class.getName() + "</listener-class></listener>");
        try (ServerSocket taken = new ServerSocket(0)) {
            Ran ran = Ran.with("--check", "--port", Integer.toString(taken.getLocalPort()), shop.toString());
            assertEquals("", ran.err());
            assertEquals(0, ran.exitCode());
            assertTrue(ran.out().startsWith("Checked: "), ran.out());
        }
        assertEquals(null, System.getProperty(StartRecordingListener.STARTED), "the check has started the application");
    }

    @Test
    void aDataSourceThatNothingBindsIsReportedWithTheKeyThatDefinesIt() throws Exception {
        Path described = application(
                "described",
                "<resource-ref><res-ref-name>jdbc/orders</res-ref-name><res-type>javax.sql.DataSource</res-type></resource-ref>"
                        + "<resource-ref><res-ref-name>mail</res-ref-name><res-type>jakarta.mail.Session</res-type></resource-ref>");
        Path annotated = application(
                "annotated",
                "<servlet><servlet-name>orders</servlet-name><servlet-class>" + OrdersServlet.class.getName()
                        + "</servlet-class></servlet>");
        String problem =
                ": nothing is bound to 'jdbc/orders' (javax.sql.DataSource); the file of the key data-sources has no"
                        + " data source of this name";
        Ran ran = Ran.with("--check", described.toString(), annotated.toString());
        assertEquals(2, ran.exitCode());
        assertEquals(
                List.of(
                        "penstock: " + described + ": WEB-INF/web.xml:2" + problem,
                        "penstock: " + annotated + ": " + OrdersServlet.class.getName() + ".orders" + problem),
                ran.err().lines().toList());
        Path sources = Files.writeString(
                folder.resolve("sources.properties"), "jdbc/orders.url = jdbc:postgresql://127.0.0.1/orders\n");
        Ran bound =
                Ran.with("--check", "--data-sources", sources.toString(), described.toString(), annotated.toString());
        assertEquals("", bound.err());
        assertEquals(0, bound.exitCode());
    }

    @Test
    void theKeyOfAnApplicationSettingMayContainAHost() throws Exception {
        String files = Files.createDirectory(folder.resolve("files")).toString();
        Ran ran = Ran.with(
                "--check",
                "--tls-self-signed",
                "--//WWW.example.org:client-auth=none",
                "--//*.example.org:client-auth=none",
                "--//[2001:db8::1]/shop:session-timeout=20m",
                "//www.example.org/shop=" + files,
                "//[2001:db8::1]/shop=" + files);
        assertEquals("", ran.err());
        assertEquals(0, ran.exitCode());
    }

    @Test
    void aBulkheadMayApplyToAPathInsideAnApplication() throws Exception {
        Path shop = application("shop", "");
        Ran ran = Ran.with("--check", "--port", "0", "--/shop/export:max-workers=2", "/shop=" + shop);
        assertEquals("", ran.err());
        assertEquals(0, ran.exitCode());
        ran = Ran.with("--check", "--port", "0", "--/shop:max-spool-writes=2", "/=" + shop);
        assertEquals("", ran.err());
        assertEquals(0, ran.exitCode());
    }

    @Test
    void eachProblemIsPrintedOnOneLine() throws Exception {
        Path bad = application("bad", "<servlt/>");
        Path missing = application("missing", "<listener><listener-class>no.Such</listener-class></listener>");
        Path nowhere = folder.resolve("nowhere");
        Ran ran = Ran.with(
                "--check",
                "--spool-dir",
                nowhere.toString(),
                "--streaming-paths",
                "x",
                "--response-rules",
                nowhere.toString(),
                bad.toString(),
                missing.toString());
        assertEquals(2, ran.exitCode());
        assertEquals("", ran.out());
        assertEquals(
                List.of(
                        "penstock: streaming-paths: ",
                        "penstock: response-rules: " + nowhere + ": no such file",
                        "penstock: spool-dir: no such folder: " + nowhere,
                        "penstock: " + bad + ": WEB-INF/web.xml:2: <servlt> is not an element of <web-app>",
                        "penstock: " + missing
                                + ": WEB-INF/web.xml:2: listener class no.Such is not in the application"),
                ran.err()
                        .lines()
                        .map(line -> line.replaceFirst("^(penstock: streaming-paths: ).*", "$1"))
                        .toList());
    }

    @Test
    void anUnwritableAccessLogIsReported() throws Exception {
        Path shop = application("shop", "");
        Path absent = folder.resolve("absent");
        Ran ran =
                Ran.with("--check", "--access-log", absent.resolve("access.log").toString(), shop.toString());
        assertEquals(2, ran.exitCode());
        assertEquals("penstock: access-log: no such folder: " + absent + System.lineSeparator(), ran.err());
        ran = Ran.with("--check", "--access-log", folder.toString(), shop.toString());
        assertEquals("penstock: access-log: cannot be written: " + folder + System.lineSeparator(), ran.err());
        Path file = folder.resolve("access.log");
        assertEquals(
                0,
                Ran.with("--check", "--access-log", file.toString(), shop.toString())
                        .exitCode());
        assertFalse(Files.exists(file), "the check created the file");
    }

    @Test
    void theApplicationsOfTheWebappsFolderAreChecked() throws Exception {
        Path bad = application("bad", "<servlt/>");
        Ran ran = Ran.with("--check", "--webapps", folder.toString());
        assertEquals(2, ran.exitCode());
        assertEquals(
                "penstock: " + bad + ": WEB-INF/web.xml:2: <servlt> is not an element of <web-app>"
                        + System.lineSeparator(),
                ran.err());
        Ran none = Ran.with("--check", "--webapps", folder.resolve("none").toString());
        assertEquals(
                "penstock: webapps: " + folder.resolve("none") + ": no such folder" + System.lineSeparator(),
                none.err());
        assertEquals(2, none.exitCode());
    }

    @Test
    void anInvalidConfigurationLeadsToExitCode2() {
        Ran.with("--check", "--workers", "0", folder.toString())
                .assertUsageError("workers must be at least 1, not 0 (from --workers)");
        Ran ran = Ran.with("--check", folder.resolve("none.war").toString());
        assertEquals(2, ran.exitCode());
    }
}
