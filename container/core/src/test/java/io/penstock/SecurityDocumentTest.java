package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** Each hazard in {@code docs/security.md} must name a test. Each test that a document names must exist. */
class SecurityDocumentTest {
    private static final Path DOCUMENTS = Path.of("..", "..", "docs");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final int COLUMNS = 3;

    /** The maximum folder depth of the search for tests. The search begins in the folder {@code container}. */
    private static final int MAX_DEPTH = 12;

    /** Returns the cells of each row of the hazard tables. Skips all other tables. */
    private static List<List<String>> rows() throws IOException {
        List<List<String>> rows = new ArrayList<>();
        boolean inTable = false;
        String before = "";
        for (String line : Files.readAllLines(DOCUMENTS.resolve("security.md"))) {
            if (!line.startsWith("|")) {
                inTable = false;
            } else if (line.startsWith("|---")) {
                inTable = before.startsWith("| hazard |");
            } else if (inTable) {
                rows.add(Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|"))
                        .map(String::strip)
                        .toList());
            }
            before = line;
        }
        return rows;
    }

    @Test
    void everyHazardHasACountermeasureAndATest() throws IOException {
        List<List<String>> rows = rows();
        assertTrue(rows.size() > 30, "number of hazards: " + rows.size());
        for (List<String> row : rows) {
            assertEquals(COLUMNS, row.size(), row.toString());
            assertFalse(row.get(1).isEmpty(), row.toString());
            assertTrue(TEST.matcher(row.get(2)).find(), row.toString());
            assertEquals("", TEST.matcher(row.get(2)).replaceAll("").replaceAll("[, ]", ""), row.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"security.md", "compatibility.md"})
    void everyTestNameInTheDocumentExists(String document) throws Exception {
        Map<String, List<String>> classes = testClasses();
        List<String> missing = new ArrayList<>();
        Matcher named = TEST.matcher(Files.readString(DOCUMENTS.resolve(document)));
        while (named.find()) {
            List<String> found = classes.getOrDefault(named.group(1), List.of());
            boolean exists = found.isEmpty()
                    ? isTestOfAnotherModule(named.group(1), named.group(2))
                    : found.size() == 1 && isTest(Class.forName(found.get(0)), named.group(2));
            if (!exists) {
                missing.add(named.group());
            }
        }
        assertEquals(List.of(), missing);
    }

    private static boolean isTest(Class<?> type, String name) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name) && AnnotationSupport.isAnnotated(method, Testable.class)) {
                return true;
            }
        }
        return false;
    }

    /** The build compiles the optional modules after this module. So this method looks for a test of these modules in the source files. */
    private static boolean isTestOfAnotherModule(String type, String name) throws IOException {
        try (Stream<Path> files =
                Files.find(Path.of(".."), MAX_DEPTH, (file, found) -> file.endsWith(type + ".java"))) {
            List<Path> sources = files.toList();
            return sources.size() == 1 && hasTest(Files.readString(sources.get(0)), name);
        }
    }

    /** Returns whether the source has a test method with this name. The test annotation must be directly before the method. */
    private static boolean hasTest(String source, String name) {
        int at = source.indexOf("void " + name + "(");
        if (at < 0) {
            return false;
        }
        String before = source.substring(source.lastIndexOf("void ", at - 1) + 1, at);
        return before.contains("@Test") || before.contains("@ParameterizedTest");
    }

    /** Maps each simple name of a compiled test class to the full names of all test classes with this simple name. */
    private static Map<String, List<String>> testClasses() throws IOException, URISyntaxException {
        Path root = Path.of(SecurityDocumentTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString().replace('/', '.'))
                    .filter(name -> name.endsWith("Test.class") && name.indexOf('$') < 0)
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .collect(Collectors.groupingBy(name -> name.substring(name.lastIndexOf('.') + 1)));
        }
    }
}
