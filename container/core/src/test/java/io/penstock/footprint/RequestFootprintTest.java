package io.penstock.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Counts the files, switches between files, locks and objects that the server needs for a request. The test fails if a count for a GET
 * request exceeds its limit, or if {@code docs/architecture.md} does not name each file of a GET. The command {@code mvn -o -q -pl
 * container/core test -Dtest=RequestFootprintTest -Dpenstock.footprint=101} measures 101 GET requests and 101 POST requests, and prints
 * the values for {@code docs/architecture.md}.
 */
class RequestFootprintTest {
    private static final String REQUESTS = "penstock.footprint";
    private static final int BODY = 200 * 1024;
    private static final Path ARCHITECTURE = Path.of("..", "..", "docs", "architecture.md");

    /** A row of the table of files, such as {@code | `http1` | HeadStage, HeadWriter |}. */
    private static final Pattern ROW = Pattern.compile("\\| `([a-z0-9]+)` \\| (\\w+(?:, \\w+)*) \\|");

    // The limits for a GET request are slightly above the current values. If a change reduces a value, the change must
    // also lower the limit. If a change needs a higher limit, the change must give a reason.
    private static final int MAX_FILES =
            94; // three of them count the memory of the head, and three share the workers fairly
    private static final int MAX_SWITCHES = 468;
    private static final int MAX_LOCKS = 9;
    private static final int MAX_OBJECTS = 29;
    private static final int MAX_BYTES = 1620;

    @Test
    void allCallsAndLocksAndObjectsOfTheFixtureAreCounted() throws Exception {
        Runnable counted = (Runnable) made("io.penstock.footprint.fixture.Counted");
        Probes.take();
        counted.run();
        Footprint footprint = Probes.take();
        String root = "footprint/fixture/";
        assertEquals(
                Map.of(root + "Counted", 2, root + "Other", 8, root + "Failing", 3),
                footprint.files(),
                "the counts of entered methods, including constructors and lambdas");
        assertEquals(
                Map.of(
                        root + "Counted -> " + root + "Other", 4,
                        root + "Other -> " + root + "Counted", 1,
                        root + "Counted -> " + root + "Failing", 2,
                        root + "Failing -> " + root + "Other", 2,
                        root + "Other -> " + root + "Failing", 1),
                footprint.switches());
        assertEquals(
                4, Footprint.sum(footprint.locks()), () -> footprint.locks().toString());
        assertEquals(
                6, Footprint.sum(footprint.objects()), () -> footprint.objects().toString());
    }

    @Test
    void aGetRequestDoesNotExceedTheLimitsForFilesAndLocksAndObjects() throws Exception {
        int requests = Integer.getInteger(REQUESTS, 3);
        Object server = made("io.penstock.footprint.server.HelloServer");
        try (AutoCloseable closing = (AutoCloseable) server) {
            int port = ((IntSupplier) server).getAsInt();
            List<Footprint> gets = MeasuredRequest.get().measure(port, requests);
            List<Footprint> posts = MeasuredRequest.post(BODY).measure(port, requests);
            assertTrue(median(gets).files().containsKey("request/HttpRequest"), () -> gets + "");
            assertAtMost(
                    MAX_FILES,
                    median(gets).files().size(),
                    "files entered",
                    median(gets).files());
            assertAtMost(
                    MAX_SWITCHES,
                    switches(median(gets)),
                    "switches between files",
                    median(gets).switches());
            assertAtMost(
                    MAX_LOCKS,
                    Footprint.sum(median(gets).locks()),
                    "locks taken",
                    median(gets).locks());
            assertAtMost(
                    MAX_OBJECTS,
                    Footprint.sum(median(gets).objects()),
                    "objects made",
                    median(gets).objects());
            assertTrue(switches(median(posts)) > switches(median(gets)), () -> gets + "\n" + posts);
            if (System.getProperty(REQUESTS) != null) {
                System.out.println(report(gets, posts));
            }
            assertNamed(median(gets).files().keySet());
        }
    }

    @Test
    void aGetRequestDoesNotExceedTheLimitForAllocatedBytes() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xint",
                        "-Xmx256m",
                        "-Dorg.slf4j.simpleLogger.logFile=System.err",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AllocatedBytes.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = program.inputReader(StandardCharsets.UTF_8)) {
            int bytes = Integer.parseInt(out.readLine());
            assertTrue(bytes <= MAX_BYTES, () -> "A GET allocates " + bytes + " bytes");
        } finally {
            program.destroyForcibly();
        }
    }

    private static void assertAtMost(int most, int found, String what, Map<String, Integer> counts) {
        assertTrue(found <= most, () -> list("A GET: " + found + " " + what + "; the limit is " + most, counts));
    }

    private static void assertNamed(Set<String> entered) throws IOException {
        Set<String> unnamed = new TreeSet<>(entered);
        for (String line : Files.readAllLines(ARCHITECTURE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                for (String name : row.group(2).split(", ")) {
                    unnamed.remove(row.group(1) + "/" + name);
                }
            }
        }
        assertEquals(
                Set.of(), unnamed, () -> "The table of files in " + ARCHITECTURE + " should be\n" + table(entered));
    }

    private static String table(Set<String> files) {
        SortedMap<String, List<String>> packages = new TreeMap<>();
        for (String file : new TreeSet<>(files)) {
            int slash = file.lastIndexOf('/');
            packages.computeIfAbsent(file.substring(0, slash), name -> new ArrayList<>())
                    .add(file.substring(slash + 1));
        }
        StringBuilder table = new StringBuilder();
        packages.forEach((name, names) -> table.append("| `" + name + "` | " + String.join(", ", names) + " |\n"));
        return table.toString();
    }

    private static Object made(String type) throws ReflectiveOperationException {
        return new ProbedLoader().loadClass(type).getConstructor().newInstance();
    }

    private static Footprint median(List<Footprint> sorted) {
        return sorted.get(sorted.size() / 2);
    }

    private static int switches(Footprint footprint) {
        return Footprint.sum(footprint.switches());
    }

    private static String report(List<Footprint> gets, List<Footprint> posts) {
        return "The median of " + gets.size() + " requests by switches between files, and the range of all\n\n"
                + "| | GET | POST |\n|---|---|---|\n"
                + row("files entered", gets, posts, each -> each.files().size())
                + row("switches between files", gets, posts, RequestFootprintTest::switches)
                + row("locks taken", gets, posts, each -> Footprint.sum(each.locks()))
                + row("objects made", gets, posts, each -> Footprint.sum(each.objects()))
                + details("GET", median(gets))
                + details("POST", median(posts));
    }

    private static String row(
            String what, List<Footprint> gets, List<Footprint> posts, ToIntFunction<Footprint> figure) {
        return "| " + what + " | " + figures(gets, figure) + " | " + figures(posts, figure) + " |\n";
    }

    private static String figures(List<Footprint> footprints, ToIntFunction<Footprint> figure) {
        IntSummaryStatistics all = footprints.stream().mapToInt(figure).summaryStatistics();
        return figure.applyAsInt(median(footprints)) + " (" + all.getMin() + " to " + all.getMax() + ")";
    }

    private static String details(String name, Footprint footprint) {
        return list(name + ": switches", footprint.switches())
                + list(name + ": locks", footprint.locks())
                + list(name + ": objects", footprint.objects())
                + list(name + ": methods entered", footprint.files());
    }

    private static String list(String title, Map<String, Integer> counts) {
        StringBuilder list = new StringBuilder("\n" + title + "\n");
        Footprint.ranked(counts)
                .forEach(each -> list.append(String.format("%5d  %s%n", each.getValue(), each.getKey())));
        return list.toString();
    }
}
