package io.penstock.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.io.StringWriter;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a {@link Launch} passes the application and all settings to another JVM, and starts a server with these settings. */
class LaunchTest {
    private static Launch writtenAndReadBack(Launch launch) throws Exception {
        StringWriter text = new StringWriter();
        launch.toProperties().store(text, null);
        Properties read = new Properties();
        read.load(new StringReader(text.toString()));
        return Launch.of(read);
    }

    @Test
    void theForkedJvmGetsAllSettingsAndTheFoldersInTheConfiguredOrder() throws Exception {
        Launch launch = new Launch(
                "/shop",
                Launch.Kind.SOURCES,
                Map.of("workers", "8", "/shop:exclude-scan", "poi-*.jar"),
                List.of(Path.of("src/main/webapp"), Path.of("a b\\c")),
                List.of(Path.of("2"), Path.of("1"), Path.of("3")),
                Map.of("orders-1.0.jar", Path.of("orders/target/classes")),
                new Launch.Compilation(
                        List.of(Path.of("src/main/java"), Path.of("target/generated-sources/a")),
                        List.of(Path.of("servlet-api.jar")),
                        List.of("--release", "17")));
        assertEquals(launch, writtenAndReadBack(launch));
    }

    @Test
    void theForkedJvmGetsThePathOfAnArchive() throws Exception {
        Launch launch =
                Launch.archive(Launch.Kind.FOLLOWED_ARCHIVE, "/", Map.of("port", "0"), Path.of("target/shop.war"));
        assertEquals(launch, writtenAndReadBack(launch));
    }

    /** Returns a launch that serves the folder of a test on a free port. */
    private static Launch files(Path folder, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.putIfAbsent("port", "0");
        return new Launch(
                "/shop", Launch.Kind.SOURCES, settings, List.of(folder), List.of(), Map.of(), Launch.Compilation.NONE);
    }

    @Test
    void theUrlHasTheSchemeAndTheHostAndThePortOfTheListener(@TempDir Path folder) throws Exception {
        try (Launch.Started plain = files(folder, Map.of("host", "127.0.0.1")).start();
                Launch.Started encrypted = files(folder, Map.of("host", "0.0.0.0", "tls-self-signed", "on"))
                        .start()) {
            assertEquals("http://127.0.0.1:" + plain.server().port() + "/shop/", plain.url());
            assertEquals("https://localhost:" + encrypted.server().port() + "/shop/", encrypted.url());
        }
    }

    @Test
    void theStartOfALaunchDisablesTheDefaultCacheForJarUrls(@TempDir Path folder) throws Exception {
        boolean before = URLConnection.getDefaultUseCaches("jar");
        URLConnection.setDefaultUseCaches("jar", true);
        try (Launch.Started started = Launch.archive(
                        Launch.Kind.ARCHIVE, "/", Map.of("host", "127.0.0.1", "port", "0"), folder)
                .start()) {
            assertFalse(URLConnection.getDefaultUseCaches("jar"));
            assertTrue(started.server().isReady());
        } finally {
            URLConnection.setDefaultUseCaches("jar", before);
        }
    }
}
