package io.penstock.boot.autoconfigure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.penstock.boot.PenstockServletWebServerFactory;
import io.penstock.boot.PenstockWebServer;
import io.penstock.boot.autoconfigure.ForeignProperties.Foreign;
import io.penstock.limits.Key;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Tests the properties of Tomcat, Jetty and Undertow that an application sets. */
class ForeignPropertiesTest {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "spring-boot.md");

    @TempDir
    Path folder;

    private final StandardEnvironment environment = new StandardEnvironment();
    private final Map<String, Object> file = new HashMap<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ForeignProperties.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void record() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopRecording() {
        logger.detachAppender(log);
    }

    /** A factory that records the keys. */
    private static final class Recording extends PenstockServletWebServerFactory {
        private final Map<String, String> keys = new LinkedHashMap<>();

        @Override
        public void set(String key, String value, String where) {
            keys.put(key, value);
            super.set(key, value, where);
        }
    }

    private Recording customized() {
        environment.getPropertySources().addFirst(new MapPropertySource("the file", file));
        ConfigurationPropertySources.attach(environment);
        Recording factory = new Recording();
        new PenstockWebServerFactoryCustomizer(environment, new ServerProperties()).customize(factory);
        return factory;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "server.tomcat.threads.max | 50 | workers | 50",
                "server.tomcat.accept-count | 100 | backlog | 100",
                "server.tomcat.max-connections | 4000 | max-connections | 4000",
                "server.tomcat.connection-timeout | 5s | head-timeout | 5000ms",
                "server.tomcat.connection-timeout | 5s | body-stall-timeout | 5000ms",
                "server.tomcat.keep-alive-timeout | 1m | keep-alive-timeout | 60000ms",
                "server.tomcat.max-http-form-post-size | 4MB | form-limit | 4194304",
                "server.tomcat.max-part-count | 20 | max-parts | 20",
                "server.tomcat.use-relative-redirects | true | redirects | relative",
                "server.tomcat.remoteip.remote-ip-header | x-forwarded-for | trusted-proxies | 127.0.0.0/8,"
                        + " 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, 100.64.0.0/10, ::1, fe80::/10,"
                        + " fc00::/7",
                "server.jetty.threads.max | 50 | workers | 50",
                "server.jetty.connection-idle-timeout | 20s | keep-alive-timeout | 20000ms",
                "server.jetty.max-form-keys | 30 | max-parameters | 30",
                "server.jetty.forwarded-headers.header-format | standard | forwarded-fields | forwarded",
                "server.jetty.forwarded-headers.header-format | X_FORWARDED | forwarded-fields | x-forwarded",
                "server.undertow.threads.worker | 64 | workers | 64",
                "server.undertow.threads.io | 4 | reactors | 4",
                "server.undertow.buffer-size | 32KB | pipe-segment | 32768",
                "server.undertow.max-http-post-size | 10MB | body-limit | 10485760",
                "server.undertow.max-headers | 80 | header-count-limit | 80",
                "server.undertow.options.socket.backlog | 500 | backlog | 500",
                "server.undertow.options.server.MAX_ENTITY_SIZE | 10485760 | body-limit | 10485760",
                "server.undertow.options.server.NO_REQUEST_TIMEOUT | 20000 | keep-alive-timeout | 20000ms",
            })
    void aPropertyWithAnEqualMeaningSetsTheKey(String property, String value, String key, String expected) {
        file.put(property, value);
        assertEquals(expected, customized().keys.get(key));
    }

    @Test
    void thePropertyOfPenstockWins() {
        file.put("server.tomcat.threads.max", "50");
        file.put("server.penstock.workers", "7");
        assertEquals("7", customized().keys.get("workers"));
    }

    @Test
    void aPropertyWithoutAnEqualMeaningAndAnUnlimitedValueChangeNothing() {
        Map<String, String> without = customized().keys;
        file.put("server.tomcat.uri-encoding", "ISO-8859-1");
        file.put("server.tomcat.max-http-form-post-size", "-1B");
        file.put("server.undertow.options.server.max-buffered-request-size", "7");
        file.put("server.tomcat.relaxed-path-chars[0]", "[");
        file.put("server.jetty.of-the-future", "1");
        file.put("server.tomcat.remoteip.internal-proxies", "10\\.0\\.0\\.1");
        assertEquals(without, customized().keys);
    }

    /** A placeholder for a variable that is not set can be empty. With other servers, the default then applies. */
    @Test
    void anEmptyPropertyChangesNothing() {
        Map<String, String> without = customized().keys;
        file.put("server.tomcat.threads.max", "");
        file.put("server.tomcat.max-connections", "");
        file.put("server.tomcat.max-http-form-post-size", "");
        file.put("server.tomcat.keep-alive-timeout", "");
        assertEquals(without, customized().keys);
    }

    @Test
    void theThreadsOfAnotherServerDoNotLimitVirtualThreads() {
        file.put("spring.threads.virtual.enabled", "true");
        file.put("server.tomcat.threads.max", "50");
        assertTrue(!customized().keys.containsKey("workers"));
    }

    @Test
    void oneWarningListsEachPropertyWithWhatBecomesOfIt() {
        file.put("server.tomcat.threads.max", "50");
        file.put("server.tomcat.uri-encoding", "UTF-8");
        file.put("server.tomcat.max-http-form-post-size", "-1B");
        file.put("server.undertow.options.server.max-buffered-request-size", "7");
        file.put("server.jetty.of-the-future", "1");
        customized();
        assertEquals(1, log.list.size());
        assertEquals(Level.WARN, log.list.get(0).getLevel());
        String text = log.list.get(0).getFormattedMessage();
        for (String line : List.of(
                "server.tomcat.threads.max: works as server.penstock.workers",
                "server.tomcat.uri-encoding: not needed: always UTF-8",
                "server.tomcat.max-http-form-post-size: no effect: it is empty, or means no limit; instead:"
                        + " server.penstock.form-limit",
                "server.undertow.options.server.max-buffered-request-size: no effect; instead: the key in the table of"
                        + " options of Undertow",
                "server.jetty.of-the-future: no effect, and unknown")) {
            assertTrue(text.contains(line), text);
        }
    }

    @Test
    void withoutSuchAPropertyThereIsNoWarning() {
        file.put("server.penstock.workers", "7");
        customized();
        assertEquals(List.of(), log.list);
    }

    @ParameterizedTest
    @CsvSource({
        "server.tomcat.accesslog.directory, server.tomcat.accesslog",
        "server.undertow.accesslog.dir, server.undertow.accesslog"
    })
    void theAccessLogIsWrittenWhereTheOtherServerWouldWriteIt(String directory, String prefix) {
        file.put(directory, folder.resolve("deep/logs").toString());
        file.put(prefix + ".enabled", "true");
        file.put(prefix + ".prefix", "shop");
        file.put(prefix + ".suffix", ".txt");
        file.put(prefix + ".pattern", "combined");
        Map<String, String> keys = customized().keys;
        assertEquals(folder.resolve("deep/logs/shop.txt").toString(), keys.get("access-log"));
        assertEquals("combined", keys.get("access-log-format"));
        assertEquals("daily", keys.get("access-log-rotate"));
        assertTrue(Files.isDirectory(folder.resolve("deep/logs")));
    }

    @Test
    void theConditionsOfTheAccessLogAreAttributesOfTheRequest() {
        file.put("server.tomcat.accesslog.enabled", "true");
        file.put("server.tomcat.accesslog.directory", folder.toString());
        file.put("server.tomcat.accesslog.condition-if", "audit");
        file.put("server.tomcat.accesslog.condition-unless", "quiet");
        Map<String, String> keys = customized().keys;
        assertEquals("x-attribute(audit)", keys.get("access-log-if"));
        assertEquals("x-attribute(quiet)", keys.get("access-log-unless"));
    }

    @Test
    void theKeysAreAppliedToARunningServer() {
        file.put("server.undertow.threads.worker", "9");
        Recording factory = customized();
        factory.setPort(0);
        PenstockWebServer server = (PenstockWebServer) factory.getWebServer();
        try {
            server.start();
            assertTrue(server.getPort() > 0);
        } finally {
            server.stop();
            server.destroy();
        }
    }

    @Test
    void eachKeyOfTheTableExists() {
        for (Foreign foreign : ForeignProperties.all()) {
            foreign.keys().forEach(key -> assertTrue(Key.named(key).isPresent(), foreign.name() + ": " + key));
        }
    }

    /** Boot's metadata of a server, from its jar. */
    private static String metadata(String server) throws IOException {
        String name = "spring-boot-" + server;
        String version = System.getProperty("spring.boot.version");
        Path jar = Path.of(System.getProperty("spring.boot.jars"), name, version, name + "-" + version + ".jar");
        try (JarFile file = new JarFile(jar.toFile());
                InputStream in = file.getInputStream(file.getEntry("META-INF/spring-configuration-metadata.json"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Boot's metadata lists the properties of Tomcat and Jetty. Deprecated ones are behind the others, with their replacement. */
    @Test
    void theTableHasAllPropertiesOfTomcatAndJettyInThisVersionOfBoot() throws IOException {
        Set<String> known = ForeignProperties.all().stream().map(Foreign::name).collect(Collectors.toSet());
        Set<String> ofBoot = new TreeSet<>();
        for (String server : List.of("tomcat", "jetty")) {
            String text = metadata(server);
            Pattern property = Pattern.compile("\\{\\s*\"name\": \"(server\\." + server + "\\.[^\"]+)\",([^}]*)");
            property.matcher(text)
                    .results()
                    .filter(found -> found.group(2).contains("\"sourceType\""))
                    .filter(found -> !found.group(2).contains("\"deprecat"))
                    .filter(found -> !found.group(2).contains("\"sourceMethod\""))
                    .forEach(found -> ofBoot.add(found.group(1)));
        }
        assertTrue(ofBoot.size() > 60, ofBoot.toString());
        ofBoot.removeAll(known);
        assertEquals(Set.of(), ofBoot);
    }

    @Test
    void theTablesOfTheDocumentationAreThoseOfTheCode() throws IOException {
        Map<String, String> documented = new LinkedHashMap<>();
        Pattern row = Pattern.compile("\\| (`server\\.(?:tomcat|jetty|undertow)[^|]*`) \\| (.*) \\|");
        try (Stream<String> lines = Files.lines(DOCUMENT)) {
            lines.map(row::matcher).filter(Matcher::matches).forEach(found -> {
                for (String name : found.group(1).split(", ")) {
                    documented.put(name.replace("`", ""), found.group(2));
                }
            });
        }
        Map<String, String> known = new LinkedHashMap<>();
        ForeignProperties.all().forEach(foreign -> known.put(foreign.name(), foreign.answer()));
        assertEquals(known, documented);
    }
}
