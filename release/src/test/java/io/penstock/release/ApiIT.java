package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.filter.JavadocLikePackageFilter;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibilityChange;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that programs that were compiled with the previous release can run with this build. For this, no public or protected member of an
 * exported package may be removed or changed in an incompatible way.
 */
class ApiIT {
    /** The names of the modules with packages that programs can use. */
    static List<String> parts() {
        return List.of(
                "core",
                "junit",
                "micrometer",
                "naming",
                "jsp",
                "websocket",
                "session-json",
                "session-jdbc",
                "session-redis");
    }

    /**
     * The jar of a module in the previous release. The property {@code penstock.baseline} names a folder in the layout of a Maven
     * repository.
     */
    private static Path former(String part) throws IOException {
        Path folder = Path.of(System.getProperty("penstock.baseline"), "io/penstock/penstock-" + part);
        try (Stream<Path> versions = Files.list(folder)) {
            Path version =
                    versions.filter(Files::isDirectory).sorted().findFirst().orElseThrow();
            return version.resolve("penstock-" + part + "-" + version.getFileName() + ".jar");
        }
    }

    private static Path present(String part) {
        return Path.of(
                System.getProperty("penstock.root"),
                "container",
                part,
                "target",
                "penstock-" + part + "-" + Staging.version() + ".jar");
    }

    /** The incompatible changes as text, one line for each class. */
    private static Set<String> incompatible(Path former, Path present) throws IOException {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        Optional<Set<String>> exported = exported(former);
        if (exported.isPresent() && exported.get().isEmpty()) {
            // The module exports no packages, so programs cannot use it.
            return Set.of();
        }
        for (String name : exported.orElse(Set.of())) {
            options.getFilters().getIncludes().add(new JavadocLikePackageFilter(name, true));
        }
        List<JApiClass> classes = new JarArchiveComparator(options)
                .compare(
                        new JApiCmpArchive(former.toFile(), "former"), new JApiCmpArchive(present.toFile(), "present"));
        Set<String> changes = new TreeSet<>();
        for (JApiClass type : classes) {
            if (!type.isBinaryCompatible()) {
                changes.add(type.getFullyQualifiedName() + ": " + reasons(type));
            }
        }
        return changes;
    }

    private static Set<String> reasons(JApiClass type) {
        List<JApiCompatibilityChange> changes = new ArrayList<>(type.getCompatibilityChanges());
        type.getMethods().forEach(method -> changes.addAll(method.getCompatibilityChanges()));
        type.getConstructors().forEach(constructor -> changes.addAll(constructor.getCompatibilityChanges()));
        type.getFields().forEach(field -> changes.addAll(field.getCompatibilityChanges()));
        return changes.stream().map(JApiCompatibilityChange::toString).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The packages that the module in the jar exports. If the jar is not a module, the result is empty, and all packages count as exported.
     */
    private static Optional<Set<String>> exported(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            ZipEntry module = file.getEntry("module-info.class");
            if (module == null) {
                return Optional.empty();
            }
            return Optional.of(ModuleDescriptor.read(file.getInputStream(module)).exports().stream()
                    .filter(export -> !export.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toSet()));
        }
    }

    @ParameterizedTest
    @MethodSource("parts")
    void nothingThatProgramsUseIsGone(String part) throws IOException {
        assertEquals(Set.of(), incompatible(former(part), present(part)));
    }

    // ---- incompatible changes are found

    @TempDir
    Path folder;

    /** Creates a jar with one class in an exported package, and one class in a package that is not exported. */
    private Path jar(String name, String method, String hidden) throws IOException {
        Path sources = Files.createDirectories(folder.resolve(name));
        Path module = Files.writeString(sources.resolve("module-info.java"), "module m { exports shown; }");
        Path shown = Files.createDirectories(sources.resolve("shown")).resolve("Shown.java");
        Files.writeString(shown, "package shown; public class Shown { " + method + " }");
        Path other = Files.createDirectories(sources.resolve("hidden")).resolve("Hidden.java");
        Files.writeString(other, "package hidden; public class Hidden { " + hidden + " }");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertEquals(
                0,
                compiler.run(
                        null,
                        null,
                        null,
                        "-d",
                        sources.toString(),
                        module.toString(),
                        shown.toString(),
                        other.toString()));
        Path jar = folder.resolve(name + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (String entry : List.of("module-info.class", "shown/Shown.class", "hidden/Hidden.class")) {
                entries.putNextEntry(new ZipEntry(entry));
                entries.write(Files.readAllBytes(sources.resolve(entry)));
            }
        }
        return jar;
    }

    @Test
    void aRemovedMethodIsFound() throws IOException {
        Path former = jar("former", "public void stop() {}", "");
        assertEquals(Set.of(), incompatible(former, jar("more", "public void stop() {} public void more() {}", "")));
        Set<String> changes = incompatible(former, jar("less", "void stop() {}", ""));
        assertFalse(changes.isEmpty());
        assertEquals(Set.of(), incompatible(jar("inner", "", "public void stop() {}"), jar("gone", "", "")));
    }
}
