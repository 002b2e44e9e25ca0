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

/** Tests the error messages of Boot if the server does not start. */
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
    void clearReports() {
        ReportedFailures.clear();
    }

    private static FailureAnalysis analyzeFailedStart(String... properties) {
        return analyzeFailedStart(Sample.class, properties);
    }

    private static FailureAnalysis analyzeFailedStart(Class<?> more, String... properties) {
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

    private static void assertContains(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), text);
        }
    }

    @Test
    void aValueThatCannotBeParsedIsReportedWithItsOriginAndTheReason() {
        FailureAnalysis analysis = analyzeFailedStart("server.penstock.body-limit=many");
        assertContains(
                analysis.getDescription(),
                "Property: server.penstock.body-limit\n",
                "Value: \"many\"\n",
                "Origin: \"server.penstock.body-limit\" from property source \"commandLineArgs\"\n",
                "Reason: 'many' is not a number of bytes",
                "Allowed: bytes, such as 4096, 64K, 100M or 1G; ");
        assertContains(
                analysis.getAction(),
                "Change the value of server.penstock.body-limit",
                "the default of body-limit is ");
    }

    @Test
    void aNumberOutsideTheAllowedRangeIsReported() {
        FailureAnalysis analysis = analyzeFailedStart("server.penstock.workers=0");
        assertContains(
                analysis.getDescription(),
                "Property: server.penstock.workers\n",
                "Value: \"0\"\n",
                "Reason: must be at least 1, not 0\n",
                "Allowed: a whole number; ");
    }

    @Test
    void anInvalidValueOfABootPropertyIsReported() {
        FailureAnalysis analysis = analyzeFailedStart("server.max-http-request-header-size=1B");
        assertContains(
                analysis.getDescription(),
                "Property: server.max-http-request-header-size\n",
                "Value: \"1\"\n",
                "Reason: must be at least ");
        assertContains(analysis.getAction(), "Change the value of server.max-http-request-header-size");
    }

    @Test
    void anInvalidValueIsReportedIfItWasSetInCode() {
        FailureAnalysis analysis = analyzeFailedStart(NoWorkers.class);
        assertContains(
                analysis.getDescription(), "Property: server.penstock.workers\n", "Value: \"0\"\n", "Origin: code\n");
    }

    @Test
    void theReportDoesNotContainAPassword() {
        FailureAnalysis analysis = analyzeFailedStart(
                "server.penstock.tls-key-password=secret-7", "server.penstock.tls-key-password-file=/x");
        assertFalse((analysis.getDescription() + analysis.getAction()).contains("secret-7"), analysis.getDescription());
    }

    @Test
    void aMissingCertificateFileIsReported() {
        FailureAnalysis analysis = analyzeFailedStart("server.penstock.tls-cert=/no/such/file.pem");
        assertContains(analysis.getDescription(), "Penstock cannot start: ", "/no/such/file.pem");
        assertContains(analysis.getAction(), "docs/configuration.md");
    }

    @Test
    void anUnknownKeyIsReportedWithASimilarKey() {
        FailureAnalysis analysis = analyzeFailedStart("server.penstock.body-limits=3M");
        assertContains(
                analysis.getDescription(),
                "Penstock has no key for the property server.penstock.body-limits in ",
                "commandLineArgs");
        assertContains(
                analysis.getAction(), "Use server.penstock.body-limit if that is meant", "docs/configuration.md");
    }

    @Test
    void aRemovedKeyIsReported() {
        FailureAnalysis analysis = analyzeFailedStart("server.penstock.https-port=8443");
        assertContains(analysis.getDescription(), "https-port is gone: ");
    }

    @Test
    void bootReportsAPortInUse() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            FailureAnalysis analysis = analyzeFailedStart("server.port=" + other.getLocalPort());
            assertContains(analysis.getDescription(), "Port " + other.getLocalPort() + " was already in use");
        }
    }

    @Test
    void aFailureOfTheApplicationIsNotReportedAsAFailureOfTheServer() {
        SpringApplication application = new SpringApplication(Sample.class, Failing.class);
        assertThrows(RuntimeException.class, () -> application.run("--spring.main.banner-mode=off", "--server.port=0"));
        assertEquals(List.of(), ReportedFailures.all());
    }
}
