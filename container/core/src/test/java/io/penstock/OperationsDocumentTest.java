package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.CloseCause;
import io.penstock.events.WebSocketEnd;
import io.penstock.limits.ApplicationKey;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.StreamReset;
import io.penstock.metrics.Gauge;
import io.penstock.metrics.Metric;
import io.penstock.metrics.MetricsText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the documents for operators. They must explain each metric of the server, and must contain no names of unknown metrics. */
class OperationsDocumentTest {
    private static final String OPERATIONS = "operations.md";
    private static final Pattern METRIC = Pattern.compile("\\b(?:penstock|http_server|process)_[a-z_]*[a-z]\\b");
    private static final String MICROMETER_SUFFIX = "_within_total";
    private static final Pattern FIELDS = Pattern.compile("fields are (.*) and cs\\(Name\\)");
    private static final Pattern NAMED = Pattern.compile("`([a-z]+(?:-[a-z]+)+)`");

    @Test
    void theDocumentExplainsEveryCounterAndEveryGaugeAndEveryMetric() throws Exception {
        String document = read(OPERATIONS);
        Set<String> derived = Stream.concat(
                        Arrays.stream(Counter.values()).map(Metric::of),
                        Arrays.stream(Gauge.values()).map(Metric::of))
                .map(Metric::name)
                .collect(Collectors.toSet());
        Stream<String> others = metrics().types().keySet().stream().filter(family -> !derived.contains(family));
        Set<String> missing = Stream.of(ids(), others)
                .flatMap(names -> names)
                .filter(name -> !document.contains("`" + name))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of(), missing, "names that are not explained in " + OPERATIONS);
    }

    @Test
    void theDocumentExplainsEveryCauseOfAnEnd() throws Exception {
        String document = read(OPERATIONS);
        assertEquals(
                List.of(),
                causes().filter(cause -> !document.contains("\n| `" + cause + "` |"))
                        .toList());
    }

    private static Stream<String> causes() {
        return Stream.of(
                        Arrays.stream(CloseCause.values()).map(CloseCause::id),
                        Arrays.stream(WebSocketEnd.values()).map(WebSocketEnd::id),
                        Arrays.stream(StreamReset.values()).map(StreamReset::id))
                .flatMap(ids -> ids);
    }

    @Test
    void theDocumentExplainsEveryFieldOfTheAccessLog() throws Exception {
        String document = read(OPERATIONS);
        assertEquals(
                List.of(),
                accessLogFields().stream()
                        .map(field -> field.replaceFirst("-ms$", "-us"))
                        .filter(field -> !document.contains("`" + field + "`"))
                        .toList());
    }

    /** Returns all fields of the access log. The method reads the fields from the error message for an unknown field. */
    private static Set<String> accessLogFields() {
        Penstock.Builder builder =
                Penstock.builder().port(0).set("access-log", "-").set("access-log-format", "nonsense");
        String message = String.valueOf(
                assertThrows(StartException.class, builder::start).getMessage());
        Matcher list = FIELDS.matcher(message);
        assertTrue(list.find(), message);
        return Set.of(list.group(1).split(", "));
    }

    /** An alert with an unknown metric would never fire. */
    @ParameterizedTest
    @ValueSource(strings = {OPERATIONS, "alerts.yml", "grafana-dashboard.json"})
    void eachMetricNameInTheDocumentExists(String document) throws Exception {
        Map<String, String> families = metrics().types();
        Set<String> named = METRIC.matcher(read(document))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(named.size() > 5, named::toString);
        named.removeIf(name -> families.containsKey(name) || isSample(name, families));
        assertEquals(Set.of(), named, document);
    }

    private static boolean isSample(String name, Map<String, String> families) {
        if (name.endsWith(MICROMETER_SUFFIX)) {
            return families.containsKey(name.replace(MICROMETER_SUFFIX, "_seconds"));
        }
        int end = name.lastIndexOf('_');
        List<String> suffixes =
                switch (families.getOrDefault(name.substring(0, end), "")) {
                    case "counter" -> List.of("_total");
                    case "histogram" -> List.of("_bucket", "_count", "_sum");
                    case "summary" -> List.of("_count", "_sum");
                    case "info" -> List.of("_info");
                    default -> List.of();
                };
        return suffixes.contains(name.substring(end));
    }

    /**
     * Each word with hyphens in code style must be the name of a configuration key, a counter, a gauge, a close cause, or a field of the
     * access log.
     */
    @Test
    void eachHyphenatedNameInTheDocumentExists() throws Exception {
        Set<String> known = Stream.of(
                        ids(),
                        causes(),
                        accessLogFields().stream(),
                        Arrays.stream(Key.values()).map(Key::id),
                        Arrays.stream(ApplicationKey.values()).map(ApplicationKey::id))
                .flatMap(names -> names)
                .collect(Collectors.toSet());
        Set<String> named = NAMED.matcher(read(OPERATIONS))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(named.size() > Counter.values().length, () -> "the document contains too few names: " + named);
        named.removeAll(known);
        assertEquals(Set.of(), named, "unknown names in " + OPERATIONS);
    }

    private static Stream<String> ids() {
        return Stream.concat(
                Arrays.stream(Counter.values()).map(Counter::id),
                Arrays.stream(Gauge.values()).map(Gauge::id));
    }

    private static String read(String document) throws IOException {
        return Files.readString(Path.of("..", "..", "docs", document));
    }

    private static MetricsText metrics() throws IOException, StartException {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("admin-port", "0")
                .set("node-name", "node1")
                .set("/a:max-workers", "1") // limits of an application add metrics
                .set("/a:max-spool-writes", "1")
                .start()) {
            return AdminPort.of(server).metrics();
        }
    }
}
