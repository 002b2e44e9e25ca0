package io.penstock.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Resolves each library as the program of a user does: one dependency, without the parent and its management. The program must get the
 * versions that the build has tested. The starter for Spring Boot is missing here: the management of Spring Boot decides its versions.
 */
class UserDependenciesIT {
    private static final Path ROOT = Path.of(System.getProperty("penstock.root"));
    private static final Pattern JAR = Pattern.compile("(.+?)-([0-9].*)\\.jar");

    /** Annotations for compilers, which no program needs at run time. Libraries bring many versions of them. */
    private static final String WITHOUT_ANNOTATIONS = """
            <exclusions>
              <exclusion><groupId>com.google.errorprone</groupId><artifactId>error_prone_annotations</artifactId></exclusion>
              <exclusion><groupId>org.jspecify</groupId><artifactId>jspecify</artifactId></exclusion>
            </exclusions>
            </dependency>""";

    private static final List<String> LIBRARIES = List.of(
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
            "penstock-websocket");

    @TempDir
    Path folder;

    @Test
    void eachLibraryAloneBringsTheVersionsThatTheBuildHasTested() throws Exception {
        WebProject project = WebProject.in(folder.resolve("programs"));
        String modules = LIBRARIES.stream()
                .map(library -> "<module>" + library + "</module>")
                .collect(Collectors.joining("", "<packaging>pom</packaging><modules>", "</modules>"));
        project.withPom("", "programs", modules);
        String version = System.getProperty("penstock.version");
        for (String library : LIBRARIES) {
            // The archive of a web application contains all libraries that the program has at run time.
            project.with(library + "/src/main/webapp/index.html", "")
                    .withPom(
                            library + "/",
                            "program-with-" + library,
                            "<packaging>war</packaging><dependencies>"
                                    + WebProject.dependency("io.penstock:" + library + ":" + version, "compile")
                                            .replace("</dependency>", WITHOUT_ANNOTATIONS)
                                    + "</dependencies>"
                                    + WebProject.plugins(""));
        }
        try (MavenRun maven = MavenRun.start(LocalRepository.in(folder), project.folder(), "package")) {
            maven.awaitSuccess();
        }
        Map<String, Set<String>> tested = managed(ROOT.resolve("pom.xml"));
        List<String> differing = new ArrayList<>();
        for (String library : LIBRARIES) {
            Map<String, String> jars = jars(project.folder().resolve(library + "/target/shop/WEB-INF/lib"));
            assertTrue(jars.containsKey(library), jars::toString);
            jars.forEach((artifact, got) -> {
                if (!tested.getOrDefault(artifact, Set.of(got)).contains(got)) {
                    differing.add(library + " brings " + artifact + " " + got + " instead of " + tested.get(artifact));
                }
            });
        }
        assertEquals(List.of(), differing);
        assertTrue(jars(project.folder().resolve("penstock-jsp/target/shop/WEB-INF/lib"))
                .containsKey("jakarta.el-api"));
    }

    @Test
    void theBomNamesTheTestedVersionsOfForeignLibraries() throws Exception {
        Map<String, Set<String>> tested = managed(ROOT.resolve("pom.xml"));
        Map<String, Set<String>> bom = managed(ROOT.resolve("container/bom/pom.xml"));
        bom.keySet().removeIf(artifact -> artifact.startsWith("penstock-"));
        assertEquals(Map.of("jakarta.el-api", tested.get("jakarta.el-api")), bom);
    }

    /** The jars of a folder: artifact and version. */
    private static Map<String, String> jars(Path lib) throws Exception {
        try (Stream<Path> files = Files.list(lib)) {
            return files.map(file -> JAR.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .collect(Collectors.toMap(name -> name.group(1), name -> name.group(2)));
        }
    }

    /** The artifacts of a POM's dependency management. Artifacts of two groups may have the same name, so each may have two versions. */
    private static Map<String, Set<String>> managed(Path pom) throws Exception {
        String text = Files.readString(pom);
        Map<String, String> properties =
                new HashMap<>(Map.of("${project.version}", System.getProperty("penstock.version")));
        Matcher property = Pattern.compile("<([a-z0-9.-]+\\.version)>([^<]+)</").matcher(text);
        while (property.find()) {
            properties.put("${" + property.group(1) + "}", property.group(2));
        }
        int begin = text.indexOf("<dependencyManagement>");
        String management = text.substring(begin, text.indexOf("</dependencyManagement>"));
        Map<String, Set<String>> managed = new HashMap<>();
        Matcher entry = Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(management);
        while (entry.find()) {
            managed.computeIfAbsent(entry.group(1), none -> new HashSet<>())
                    .add(properties.getOrDefault(entry.group(2), entry.group(2)));
        }
        return managed;
    }
}
