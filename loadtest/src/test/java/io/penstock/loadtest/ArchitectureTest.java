package io.penstock.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the dependencies of each package. A package may depend on itself, on packages with a lower number in {@code LAYERS}, on the JDK,
 * and on the libraries in the constants below. A sub-package has the number of its parent package. From the server, a package may use only
 * {@code io.penstock.time}, which contains the clock and the timer wheel.
 */
class ArchitectureTest {
    private static final String ROOT = "io.penstock.loadtest";

    private static final Map<String, Integer> LAYERS = Map.ofEntries(
            Map.entry("client", 0),
            Map.entry("cli", 0),
            Map.entry("report", 1),
            Map.entry("load", 2),
            Map.entry("crowd", 2),
            Map.entry("peers", 3),
            Map.entry("run", 4),
            Map.entry("compare", 4),
            Map.entry("slow", 4),
            Map.entry("starve", 4),
            Map.entry("", 5));

    private static final Set<String> ALL_PACKAGES_MAY_USE = Set.of(
            "java",
            "javax.net.ssl",
            "org.jspecify.annotations",
            "com.google.errorprone.annotations",
            "io.penstock.time");

    /** The libraries for the command line and for measurements. All packages except {@code client} may use these libraries. */
    private static final Set<String> ALL_PACKAGES_EXCEPT_CLIENT_MAY_USE =
            Set.of("picocli", "org.HdrHistogram", "com.sun.management");

    private static final Map<String, Set<String>> SOME_PACKAGES_MAY_USE =
            Map.of("report", Set.of("com.fasterxml.jackson", "org.knowm.xchart"));

    private static final Set<String> MEANINGLESS_NAMES = Set.of("util", "common", "impl", "core", "helper");

    @Test
    void noPackageHasAForbiddenDependency() {
        JavaClasses loadtest = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(ROOT);
        assertTrue(loadtest.contain(Main.class), "the classes of loadtest were not found");
        List<String> problems =
                loadtest.stream().flatMap(ArchitectureTest::problems).distinct().toList();
        assertEquals(List.of(), problems);
    }

    @Test
    void forbiddenDependenciesAreDetected() {
        JavaClasses both = new ClassFileImporter().importClasses(ArchitectureTest.class, Main.class);
        // This test class is in the root package, and uses ArchUnit. No package may use ArchUnit.
        assertTrue(problems(both.get(ArchitectureTest.class))
                .anyMatch(problem -> problem.startsWith("the root package must not use com.tngtech.archunit.")));
        assertTrue(mayUse("slow", ROOT + ".crowd.Crowd"));
        assertTrue(!mayUse("crowd", ROOT + ".slow.SlowCommand"));
        assertTrue(!mayUse("run", ROOT + ".slow.SlowCommand"));
        assertTrue(mayUse("client", "io.penstock.time.TimerWheel"));
        assertTrue(!mayUse("client", "io.penstock.http.Fields"));
        assertTrue(!mayUse("compare", "io.penstock.server.Server"));
        assertTrue(!mayUse("client", "org.HdrHistogram.Histogram"));
    }

    private static Stream<String> problems(JavaClass subject) {
        String part = partOf(subject.getPackageName());
        if (!LAYERS.containsKey(part)) {
            return Stream.of(subject.getPackageName() + " has no number in LAYERS");
        }
        if (Stream.of(subject.getPackageName().split("\\.")).anyMatch(MEANINGLESS_NAMES::contains)) {
            return Stream.of(subject.getPackageName() + " has a name that does not describe its content");
        }
        return subject.getDirectDependenciesFromSelf().stream()
                .map(Dependency::getTargetClass)
                .map(JavaClass::getBaseComponentType)
                .filter(target -> !target.isPrimitive() && !mayUse(part, target.getFullName()))
                .map(target -> (part.isEmpty() ? "the root package" : part) + " must not use " + target.getFullName()
                        + ", see " + subject.getFullName());
    }

    private static boolean mayUse(String part, String other) {
        if (isWithin(other, ROOT)) {
            String target = partOf(other.substring(0, other.lastIndexOf('.')));
            return target.equals(part) || LAYERS.getOrDefault(target, Integer.MAX_VALUE) < LAYERS.get(part);
        }
        Set<String> measuring = part.equals("client") ? Set.of() : ALL_PACKAGES_EXCEPT_CLIENT_MAY_USE;
        return Stream.of(ALL_PACKAGES_MAY_USE, measuring, SOME_PACKAGES_MAY_USE.getOrDefault(part, Set.of()))
                .flatMap(Set::stream)
                .anyMatch(prefix -> isWithin(other, prefix));
    }

    private static boolean isWithin(String name, String prefix) {
        return name.startsWith(prefix + ".");
    }

    /** Returns the name below the root package, for example {@code compare} for {@code io.penstock.loadtest.compare}. */
    private static String partOf(String packageName) {
        return packageName.equals(ROOT) ? "" : packageName.substring(ROOT.length() + 1);
    }
}
