package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the binary compatibility of this release: programs that were compiled with the former release must still link with this release.
 * So no public or protected member of an exported package may be removed, or changed in an incompatible way. {@link ApiComparisonIT} tests
 * the comparison itself.
 */
class ApiIT {
    /** The published libraries with an API that programs can use. */
    static List<String> parts() {
        return List.of(
                "penstock-acme",
                "penstock-core",
                "penstock-javaee-migration",
                "penstock-jsp",
                "penstock-junit",
                "penstock-micrometer",
                "penstock-naming",
                "penstock-session-jdbc",
                "penstock-session-json",
                "penstock-session-redis",
                "penstock-spring-boot-starter",
                "penstock-websocket");
    }

    /** The published jars without an API for programs. The value for each jar is the reason. */
    private static final Map<String, String> WITHOUT_API = Map.of(
            "penstock-archetype", "it has no classes: Maven copies its files into a new project",
            "penstock-maven-plugin", "only Maven calls its classes: a POM names goals and parameters",
            "penstock-standalone", "it is a program: its interface is the command line and the configuration");

    private static Path jar(String part) {
        return Staging.artifacts()
                .resolve(part)
                .resolve(Staging.version())
                .resolve(part + "-" + Staging.version() + ".jar");
    }

    @Test
    void eachPublishedJarIsInTheListOfLibrariesOrInTheListOfJarsWithoutAnApi() throws Exception {
        Set<String> published;
        try (Stream<Path> folders = Files.list(Staging.artifacts())) {
            published = folders.map(folder -> folder.getFileName().toString())
                    .filter(part -> Files.exists(jar(part)))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        Set<String> named = new TreeSet<>(parts());
        named.addAll(WITHOUT_API.keySet());
        assertEquals(published, named);
        assertEquals(named.size(), parts().size() + WITHOUT_API.size(), "a jar is in both lists");
    }

    /** The test also writes the result to a file. The script {@code release/stage} prints this file. */
    @ParameterizedTest
    @MethodSource("parts")
    @EnabledIfSystemProperty(named = "penstock.former", matches = ".+")
    void thisReleaseDoesNotBreakProgramsThatWereCompiledWithTheFormerRelease(String part) throws Exception {
        String version = FormerRelease.version();
        String result;
        if (FormerRelease.libraries().contains(part)) {
            assertTrue(
                    Files.exists(FormerRelease.jar(part)),
                    () -> "the former release is not complete: " + FormerRelease.jar(part) + " is missing");
            ApiComparison changes = ApiComparison.of(FormerRelease.jar(part), jar(part));
            if (!changes.breaking().isEmpty()) {
                fail("Programs that were compiled with " + part + " " + version + " may not run with this release:"
                        + lines(changes.breaking()));
            }
            result = "compatible with " + version
                    + (changes.sourceOnly().isEmpty()
                            ? ""
                            : ", but sources may need changes:" + lines(changes.sourceOnly()));
        } else {
            result = "new since " + version;
        }
        Path results = Files.createDirectories(
                Path.of(System.getProperty("penstock.root")).resolve("release/target/api"));
        Files.writeString(results.resolve(part + ".txt"), "  " + part + ": " + result + "\n");
    }

    private static String lines(Set<String> changes) {
        return changes.stream().map(change -> "\n    " + change).collect(Collectors.joining());
    }

    @Test
    @EnabledIfSystemProperty(named = "penstock.former", matches = ".+")
    void eachLibraryOfTheFormerReleaseIsStillPublished() throws Exception {
        Set<String> gone = FormerRelease.libraries();
        parts().forEach(gone::remove);
        assertEquals(Set.of(), gone);
    }
}
