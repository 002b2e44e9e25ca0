package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests {@link ApiComparison}. Each test compiles two versions of a small library, and compares the two jars in the same way as {@link
 * ApiIT}. A change is called breaking if it breaks binary compatibility.
 */
class ApiComparisonIT {
    @TempDir
    Path folder;

    /** The sources of the former library. A test changes a copy of these sources. */
    private final Map<String, String> former = Map.of(
            "module-info",
            "module library { exports shown; }",
            "shown/Server",
            "package shown; public class Server { public Server(int port) {} public static final int PORT = 1 + 1; "
                    + "public void stop() {} protected int port() { return 1; } int hidden() { return 1; } }",
            "shown/Store",
            "package shown; public interface Store { Object find(String id); }",
            "shown/Helper",
            "package shown; class Helper { public void help() {} }",
            "inner/Wire",
            "package inner; public class Wire { public void write() {} }");

    private final Map<String, String> present = new TreeMap<>();

    @BeforeEach
    void copyTheFormerSources() {
        present.putAll(former);
    }

    private void replace(String source, String text, String replacement) {
        String changed = present.get(source).replace(text, replacement);
        if (changed.equals(present.get(source))) {
            throw new IllegalArgumentException(source + " has no '" + text + "'");
        }
        present.put(source, changed);
    }

    private Path jar(String name, Map<String, String> sources) throws IOException {
        Path root = Files.createDirectories(folder.resolve(name));
        Path classes = root.resolve("classes");
        List<String> arguments = new ArrayList<>(List.of("-d", classes.toString()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = root.resolve(source.getKey() + ".java");
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)));
        Path jar = folder.resolve(name + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                entries.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                entries.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }

    private ApiComparison compared() throws IOException {
        return ApiComparison.of(jar("former", former), jar("present", present));
    }

    private void assertBreaking(String... changes) throws IOException {
        assertEquals(Set.of(changes), compared().breaking());
    }

    private void assertNoChange() throws IOException {
        assertEquals(new ApiComparison(Set.of(), Set.of()), compared());
    }

    // ---- not binary compatible

    @Test
    void aRemovedMethodIsBreaking() throws IOException {
        replace("shown/Server", "public void stop() {}", "");
        assertBreaking("shown.Server.stop(): method removed");
    }

    @Test
    void aMethodThatIsNoLongerPublicIsBreaking() throws IOException {
        replace("shown/Server", "public void stop()", "void stop()");
        assertBreaking("shown.Server.stop(): method less accessible");
    }

    @Test
    void aChangedReturnTypeIsBreaking() throws IOException {
        replace("shown/Server", "protected int port()", "protected long port()");
        assertBreaking("shown.Server.port(): method return type changed");
    }

    @Test
    void aChangedParameterTypeIsBreaking() throws IOException {
        replace("shown/Server", "Server(int port)", "Server(long port)");
        assertBreaking("shown.Server(int): constructor removed");
    }

    @Test
    void aChangedFieldTypeIsBreaking() throws IOException {
        replace("shown/Server", "static final int PORT", "static final long PORT");
        assertBreaking("shown.Server.PORT: field type changed");
    }

    @Test
    void aRemovedClassIsBreaking() throws IOException {
        present.remove("shown/Store");
        ApiComparison changes = compared();
        assertTrue(changes.breaking().contains("shown.Store: class removed"), changes.toString());
    }

    @Test
    void aPackageThatIsNoLongerExportedIsBreaking() throws IOException {
        present.put("module-info", "module library { exports inner; }");
        assertBreaking("package shown: no longer exported");
    }

    @Test
    void aChangedModuleNameIsBreaking() throws IOException {
        replace("module-info", "module library", "module other");
        assertBreaking("module library: now named other");
    }

    // ---- binary compatible, but not source compatible

    @Test
    void anAddedAbstractMethodOfAnInterfaceBreaksOnlySourceCompatibility() throws IOException {
        replace("shown/Store", "Object find(", "void remove(String id); Object find(");
        assertEquals(
                new ApiComparison(Set.of(), Set.of("shown.Store.remove(java.lang.String): method added to interface")),
                compared());
    }

    @Test
    void anAddedCheckedExceptionBreaksOnlySourceCompatibility() throws IOException {
        replace("shown/Server", "public void stop()", "public void stop() throws java.io.IOException");
        assertEquals(
                new ApiComparison(Set.of(), Set.of("shown.Server.stop(): method now throws checked exception")),
                compared());
    }

    // ---- compatible

    @Test
    void noChangeIsReportedForTheSameSources() throws IOException {
        assertNoChange();
    }

    @Test
    void anAddedMethodIsNotReported() throws IOException {
        replace("shown/Server", "public void stop() {}", "public void stop() {} public void suspend() {}");
        assertNoChange();
    }

    @Test
    void addedClassesAndPackagesAreNotReported() throws IOException {
        present.put("shown/Client", "package shown; public class Client {}");
        present.put("more/More", "package more; public class More {}");
        present.put("module-info", "module library { exports shown; exports more; }");
        assertNoChange();
    }

    @Test
    void changesAreNotReportedIfProgramsCannotSeeTheChanges() throws IOException {
        replace("inner/Wire", "public void write() {}", "");
        replace("shown/Server", "int hidden() { return 1; }", "");
        replace("shown/Helper", "public void help() {}", "");
        assertNoChange();
    }

    @Test
    void allPackagesArePartOfTheApiIfThereIsNoModuleDescriptor() throws IOException {
        Map<String, String> sources = Map.of("inner/Wire", former.get("inner/Wire"));
        Path formerJar = jar("library-1.0", sources);
        Path presentJar = jar("library-1.1", Map.of("inner/Wire", "package inner; public class Wire {}"));
        assertEquals(
                Set.of("inner.Wire.write(): method removed"),
                ApiComparison.of(formerJar, presentJar).breaking());
    }
}
