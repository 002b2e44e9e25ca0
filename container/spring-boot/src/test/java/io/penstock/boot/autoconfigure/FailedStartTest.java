package io.penstock.boot.autoconfigure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.boot.PenstockBuilderCustomizer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests Boot's message to the user if the server does not start. */
class FailedStartTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Sample {}

    @Configuration(proxyBeanMethods = false)
    static class NoWorkers {
        @Bean
        PenstockBuilderCustomizer noWorkers() {
            return builder -> builder.set("workers", "0");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {
        @Bean
        ServletContextInitializer failing() {
            return context -> {
                throw new IllegalArgumentException("planned");
            };
        }
    }

    @BeforeEach
    void forget() {
        ReportedFailures.clear();
    }

    private static FailureAnalysis told(String... properties) {
        return told(Sample.class, properties);
    }

    private static FailureAnalysis told(Class<?> more, String... properties) {
        List<String> arguments = new ArrayList<>(List.of("--spring.main.banner-mode=off"));
        if (Stream.of(properties).noneMatch(property -> property.startsWith("server.port="))) {
            arguments.add("--server.port=0");
        }
        for (String property : properties) {
            arguments.add("--" + property);
        }
        SpringApplication application = new SpringApplication(Sample.class, more);
        assertThrows(RuntimeException.class, () -> application.run(arguments.toArray(String[]::new)));
        assertEquals(
                1, ReportedFailures.all().size(), () -> ReportedFailures.all().toString());
        return ReportedFailures.all().get(0);
    }

    private static void assertSays(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), text);
        }
    }

    @Test
    void anUnreadableValueIsReportedWithItsOriginAndTheReason() {
        FailureAnalysis told = told("server.penstock.body-limit=many");
        assertSays(
                told.getDescription(),
                "Property: server.penstock.body-limit\n",
                "Value: \"many\"\n",
                "Origin: \"server.penstock.body-limit\" from property source \"commandLineArgs\"\n",
                "Reason: 'many' is not a number of bytes",
                "Allowed: bytes, such as 4096, 64K, 100M or 1G; ");
        assertSays(told.getAction(), "Change the value of server.penstock.body-limit", "the default of body-limit is ");
    }

    @Test
    void aValueOutsideItsBoundsIsReported() {
        FailureAnalysis told = told("server.penstock.workers=0");
        assertSays(
                told.getDescription(),
                "Property: server.penstock.workers\n",
                "Value: \"0\"\n",
                "Reason: must be at least 1, not 0\n",
                "Allowed: a whole number; ");
    }

    @Test
    void anInvalidValueOfABootPropertyIsReported() {
        FailureAnalysis told = told("server.max-http-request-header-size=1B");
        assertSays(
                told.getDescription(),
                "Property: server.max-http-request-header-size\n",
                "Value: \"1\"\n",
                "Reason: must be at least ");
        assertSays(told.getAction(), "Change the value of server.max-http-request-header-size");
    }

    @Test
    void anInvalidValueFromCodeIsReported() {
        FailureAnalysis told = told(NoWorkers.class);
        assertSays(told.getDescription(), "Property: server.penstock.workers\n", "Value: \"0\"\n", "Origin: code\n");
    }

    @Test
    void aSecretIsNotShown() {
        FailureAnalysis told =
                told("server.penstock.tls-key-password=secret-7", "server.penstock.tls-key-password-file=/x");
        assertFalse((told.getDescription() + told.getAction()).contains("secret-7"), told.getDescription());
    }

    @Test
    void aMissingFileIsReported() {
        FailureAnalysis told = told("server.penstock.tls-cert=/no/such/file.pem");
        assertSays(told.getDescription(), "Penstock cannot start: ", "/no/such/file.pem");
        assertSays(told.getAction(), "docs/configuration.md");
    }

    @Test
    void anUnknownKeyIsReportedWithASimilarKey() {
        FailureAnalysis told = told("server.penstock.body-limits=3M");
        assertSays(
                told.getDescription(),
                "Penstock has no key for the property server.penstock.body-limits in ",
                "commandLineArgs");
        assertSays(told.getAction(), "Use server.penstock.body-limit if that is meant", "docs/configuration.md");
    }

    @Test
    void aRemovedKeyIsReported() {
        FailureAnalysis told = told("server.penstock.https-port=8443");
        assertSays(told.getDescription(), "https-port is gone: ");
    }

    @Test
    void aPortInUseIsExplainedByBoot() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            FailureAnalysis told = told("server.port=" + other.getLocalPort());
            assertSays(told.getDescription(), "Port " + other.getLocalPort() + " was already in use");
        }
    }

    @Test
    void aFailureOfTheApplicationIsNotReportedAsAFailureOfTheServer() {
        SpringApplication application = new SpringApplication(Sample.class, Failing.class);
        assertThrows(RuntimeException.class, () -> application.run("--spring.main.banner-mode=off", "--server.port=0"));
        assertEquals(List.of(), ReportedFailures.all());
    }
}
