package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the lists of {@link ClassesAhead} with the classes that the server really loads. With {@code -Dpenstock.docs=write}, the test
 * writes new lists for the jar of the next build.
 */
class ClassesAheadIT {
    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");
    private static final Path LISTS = Path.of("src/main/resources/io/penstock/standalone");

    /**
     * Matches the log line of a class from the jar, or of a platform class that is not in the CDS archive of the JDK (class data sharing).
     * Classes that the JVM generates do not match, because their names contain a slash.
     */
    private static final Pattern LOADED = Pattern.compile(".*\\] ([^/\\s]+) source: (file:.*/penstock\\.jar|jrt:).*");

    /**
     * Matches the class names that the lists may contain. Platform classes with other names are excluded, because they might differ in the
     * next Java version.
     */
    private static final Pattern LISTABLE = Pattern.compile(
            "(io\\.penstock|jakarta|java|javax|org|com)\\.(?!sun\\.|sample\\.|ietf\\.|w3c\\.|xml\\.).*");

    private static final Pattern PLATFORM = Pattern.compile("javax?\\..*");

    @TempDir
    Path folder;

    /**
     * Returns the classes that the server loads during its start and for its first response. The process has one processor. {@link
     * ClassesAhead} needs two processors, so it loads no classes here.
     */
    private Set<String> loaded(String content, String path) throws Exception {
        Path log = folder.resolve("classes.log");
        Map<String, String> environment =
                Map.of("JDK_JAVA_OPTIONS", "-XX:ActiveProcessorCount=1 -Xlog:class+load:file=" + log);
        try (JarProcess jar = JarProcess.run(environment, "0", content)) {
            URI uri = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + path);
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            assertEquals(
                    200,
                    HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode());
        }
        Set<String> names = new LinkedHashSet<>();
        for (String line : Files.readAllLines(log)) {
            Matcher loaded = LOADED.matcher(line);
            if (loaded.matches() && LISTABLE.matcher(loaded.group(1)).matches()) {
                names.add(loaded.group(1));
            }
        }
        return names;
    }

    private Set<String> loadedWithFolder() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
        return loaded(site.toString(), "/hello.txt");
    }

    /**
     * Compares the loaded classes with the list. Nine of ten loaded classes must be in the list, and nine of ten listed classes must be
     * loaded. The test does not require all classes, because the loaded classes differ slightly from start to start. Platform classes are
     * not compared, because they differ between Java versions.
     */
    private static void compare(ClassesAhead kind, Set<String> loaded) throws IOException {
        Path file = LISTS.resolve(kind.list());
        if ("write".equals(System.getProperty("penstock.docs"))) {
            Files.writeString(file, String.join("\n", loaded) + "\n");
        }
        List<String> listed = Files.readAllLines(file);
        assertFew(kind + " does not list these loaded classes:", loaded, listed);
        assertFew(kind + " lists these classes, which were not loaded:", listed, loaded);
    }

    private static void assertFew(String what, Iterable<String> all, Collection<String> others) {
        List<String> ours = new ArrayList<>();
        all.forEach(name -> {
            if (!PLATFORM.matcher(name).matches()) {
                ours.add(name);
            }
        });
        List<String> missing =
                ours.stream().filter(name -> !others.contains(name)).toList();
        assertTrue(missing.size() * 10 <= ours.size(), () -> what + " " + missing);
    }

    @Test
    void theClassListForTheServerContainsMostLoadedClassesAndFewOtherClasses() throws Exception {
        compare(ClassesAhead.SERVER, loadedWithFolder());
    }

    @Test
    void theClassListForApplicationsContainsMostLoadedClassesAndFewOtherClasses() throws Exception {
        Set<String> more = loaded(SAMPLE, "/");
        more.removeAll(loadedWithFolder());
        compare(ClassesAhead.APPLICATION, more);
    }

    /** The server searches the jar for each listed class. A search for a class that is not in the jar would only delay the start. */
    @Test
    void eachListedClassIsInTheJarUnlessItIsAPlatformClass() throws Exception {
        try (JarFile jar = new JarFile(JarProcess.usualJar().toFile())) {
            for (ClassesAhead kind : ClassesAhead.values()) {
                for (String name : Files.readAllLines(LISTS.resolve(kind.list()))) {
                    assertTrue(
                            PLATFORM.matcher(name).matches() || jar.getEntry(name.replace('.', '/') + ".class") != null,
                            () -> kind + ": " + name + " is not in the jar; write the list again");
                }
            }
        }
    }

    @Test
    void theServerLoadsListedClassesBeforeAClientConnects() throws Exception {
        Path log = folder.resolve("ahead.log");
        Map<String, String> environment =
                Map.of("JDK_JAVA_OPTIONS", "-XX:ActiveProcessorCount=2 -Xlog:class+load:file=" + log);
        try (JarProcess jar = JarProcess.run(environment, "0", SAMPLE)) {
            JarProcess.port(jar.startLine());
            await().until(() -> Files.readString(log).contains("] io.penstock.http1.RequestReader source: "));
        }
    }

    /** The file does not exist, so the JVM starts without an archive. The server only knows that one is named. */
    @Test
    void aServerWithAnArchiveLoadsNoClassesAhead() throws Exception {
        Path log = folder.resolve("archive.log");
        Path site = Files.createDirectory(folder.resolve("site"));
        String options = "-XX:ActiveProcessorCount=2 -XX:SharedArchiveFile=" + folder.resolve("none.jsa")
                + " -Xlog:class+load:file=" + log;
        try (JarProcess jar = JarProcess.run(Map.of("JDK_JAVA_OPTIONS", options), "0", site.toString())) {
            JarProcess.port(jar.startLine());
            assertFalse(Files.readString(log).contains("] io.penstock.http1.RequestReader source: "));
        }
    }
}
