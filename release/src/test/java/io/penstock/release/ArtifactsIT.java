package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** Checks that the published artifacts comply with the rules of Maven Central. */
class ArtifactsIT {
    /** The published artifacts that are not in the BOM, because applications do not depend on these artifacts. */
    private static final Set<String> NOT_IN_THE_BOM = Set.of(
            "penstock-archetype", "penstock-bom", "penstock-maven-plugin", "penstock-parent", "penstock-standalone");

    /** All published artifacts with a jar. The modules with tests and measurements are not published. */
    private static final Set<String> JARS = Set.of(
            "penstock-acme",
            "penstock-archetype",
            "penstock-core",
            "penstock-javaee-migration",
            "penstock-jsp",
            "penstock-junit",
            "penstock-maven-plugin",
            "penstock-micrometer",
            "penstock-naming",
            "penstock-session-jdbc",
            "penstock-session-json",
            "penstock-session-redis",
            "penstock-spring-boot-starter",
            "penstock-standalone",
            "penstock-websocket");

    static List<Path> folders() throws IOException {
        try (Stream<Path> folders = Files.list(Staging.artifacts())) {
            return folders.map(folder -> folder.resolve(Staging.version()))
                    .sorted()
                    .toList();
        }
    }

    private static String artifact(Path folder) {
        return folder.getParent().getFileName().toString();
    }

    private static Path file(Path folder, String end) {
        return folder.resolve(artifact(folder) + "-" + Staging.version() + end);
    }

    // ---- POMs

    private static Element pom(Path folder) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file(folder, ".pom").toFile())
                .getDocumentElement();
    }

    private static List<Element> children(Element parent, String name) {
        NodeList nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE
                        && node.getNodeName().equals(name))
                .map(Element.class::cast)
                .toList();
    }

    /**
     * Returns the text of the element with the given path, from the POM or from its parent. Returns an empty Optional if the two POMs do
     * not contain the element.
     */
    private static Optional<String> inherited(Element pom, String... names) throws Exception {
        Element at = pom;
        for (String name : names) {
            List<Element> found = children(at, name);
            if (found.isEmpty()) {
                return children(pom, "parent").isEmpty()
                        ? Optional.empty()
                        : inherited(
                                pom(Staging.artifacts()
                                        .resolve("penstock-parent")
                                        .resolve(Staging.version())),
                                names);
            }
            at = found.get(0);
        }
        return Optional.of(at.getTextContent().strip());
    }

    @ParameterizedTest
    @MethodSource("folders")
    void eachPomHasTheElementsThatMavenCentralRequires(Path folder) throws Exception {
        Element pom = pom(folder);
        assertAll(
                () -> assertEquals(Optional.of("io.penstock"), inherited(pom, "groupId")),
                () -> assertEquals(Optional.of(Staging.version()), inherited(pom, "version")),
                () -> assertEquals(
                        artifact(folder), children(pom, "artifactId").get(0).getTextContent()),
                () -> assertFalse(children(pom, "name").isEmpty(), "the POM has no name"),
                () -> assertFalse(children(pom, "description").isEmpty(), "the POM has no description"),
                () -> assertTrue(inherited(pom, "url").orElse("").matches("https?://[^$ ]+"), "the POM has no URL"),
                () -> assertEquals(Optional.of("Apache-2.0"), inherited(pom, "licenses", "license", "name")),
                () -> assertTrue(
                        inherited(pom, "licenses", "license", "url").orElse("").startsWith("https://")),
                () -> assertTrue(
                        inherited(pom, "developers", "developer", "name").isPresent(), "the POM has no developer"),
                () -> assertTrue(inherited(pom, "scm", "connection").orElse("").startsWith("scm:git:http")),
                () -> assertTrue(inherited(pom, "scm", "url").orElse("").startsWith("http")));
        assertFalse(Files.readString(file(folder, ".pom")).contains("SNAPSHOT"), "the POM contains a SNAPSHOT version");
    }

    @Test
    void theBomContainsExactlyTheArtifactsForApplications() throws Exception {
        Element bom = pom(Staging.artifacts().resolve("penstock-bom").resolve(Staging.version()));
        Element managed = children(children(bom, "dependencyManagement").get(0), "dependencies")
                .get(0);
        Set<String> listed = children(managed, "dependency").stream()
                .filter(part ->
                        children(part, "groupId").get(0).getTextContent().equals("io.penstock"))
                .map(part -> children(part, "artifactId").get(0).getTextContent())
                .collect(Collectors.toCollection(TreeSet::new));
        listed.addAll(NOT_IN_THE_BOM);
        assertEquals(
                listed, folders().stream().map(ArtifactsIT::artifact).collect(Collectors.toCollection(TreeSet::new)));
    }

    // ---- files

    static List<Path> foldersOfJars() throws Exception {
        List<Path> folders = new ArrayList<>();
        for (Path folder : folders()) {
            if (children(pom(folder), "packaging").stream()
                    .noneMatch(type -> type.getTextContent().equals("pom"))) {
                folders.add(folder);
            }
        }
        return folders;
    }

    /** Checks the names of all published files, except for checksums and signatures. Other tests check the checksums and signatures. */
    @Test
    void exactlyTheExpectedFilesArePublished() throws Exception {
        Set<String> expected = new TreeSet<>(List.of(
                name("penstock-bom", ".pom"),
                name("penstock-parent", ".pom"),
                name("penstock-parent", "-cyclonedx.json")));
        for (String jar : JARS) {
            for (String end : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json")) {
                expected.add(name(jar, end));
            }
        }
        Path maven = Staging.folder().resolve("maven");
        try (Stream<Path> files = Files.walk(maven)) {
            Set<String> published = files.filter(Files::isRegularFile)
                    .map(file -> maven.relativize(file).toString())
                    .filter(file -> !file.matches(".*\\.(asc|md5|sha1)"))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(String.join("\n", expected), String.join("\n", published));
        }
    }

    private static String name(String artifact, String end) {
        return "io/penstock/" + artifact + "/" + Staging.version() + "/" + artifact + "-" + Staging.version() + end;
    }

    @ParameterizedTest
    @MethodSource("foldersOfJars")
    void eachJarHasASourcesJarAndAJavadocJarAndAListOfComponents(Path folder) throws Exception {
        for (String end : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
            try (JarFile jar = new JarFile(file(folder, end).toFile())) {
                assertTrue(
                        jar.stream()
                                .anyMatch(entry ->
                                        !entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME)),
                        jar.getName());
            }
        }
        assertEquals(
                "CycloneDX",
                new ObjectMapper()
                        .readTree(file(folder, "-cyclonedx.json").toFile())
                        .path("bomFormat")
                        .asText());
    }

    @ParameterizedTest
    @MethodSource("folders")
    void eachFileHasCorrectChecksums(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> file.toString().matches(".*\\.(jar|pom|json)"))
                    .toList()) {
                byte[] bytes = Files.readAllBytes(file);
                for (var kind : List.of(List.of("SHA-1", ".sha1"), List.of("MD5", ".md5"))) {
                    String sum = HexFormat.of()
                            .formatHex(MessageDigest.getInstance(kind.get(0)).digest(bytes));
                    assertEquals(
                            sum, Files.readString(Path.of(file + kind.get(1))).strip(), file.toString());
                }
            }
        }
    }

    @Test
    void theChecksumFileContainsAllInstallableFiles() throws Exception {
        Set<String> listed = new TreeSet<>();
        for (String line : Files.readAllLines(Staging.file("SHA256SUMS"))) {
            String[] sumAndName = line.split("  ");
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(Staging.file(sumAndName[1])));
            assertEquals(sumAndName[0], HexFormat.of().formatHex(digest), sumAndName[1]);
            listed.add(sumAndName[1]);
        }
        String version = Staging.version();
        assertEquals(
                new TreeSet<>(List.of(
                        "penstock-" + version + ".tar.gz",
                        "penstock-" + version + "-oci.tar",
                        "penstock-" + version + ".cdx.json",
                        "penstock_" + version + "_all.deb")),
                listed);
    }

    /** The script {@code release/stage} has signed the files with the key from its option {@code --key}. */
    @Test
    @EnabledIfSystemProperty(named = "penstock.signed", matches = "true")
    @NeedsProgram(Program.GPG)
    void eachFileIsSigned() throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.walk(Staging.folder())) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().matches(".*\\.(asc|md5|sha1)"))
                    .toList();
        }
        assertTrue(files.contains(Staging.file("SHA256SUMS")));
        for (Path file : files) {
            Staging.Result result = Staging.run(
                    Staging.folder(),
                    List.of(Program.GPG.path().toString(), "--batch", "--verify", file + ".asc", file.toString()));
            assertEquals(0, result.exitCode(), result.text());
        }
    }

    // ---- components

    /** Each component in the list must have a version. */
    @Test
    void theListOfComponentsContainsEachLibraryInPenstockJar() throws Exception {
        Set<String> components = new TreeSet<>();
        JsonNode listed = new ObjectMapper()
                .readTree(Staging.file("penstock-" + Staging.version() + ".cdx.json")
                        .toFile());
        for (JsonNode component : listed.path("components")) {
            components.add(component.path("group").asText() + "/"
                    + component.path("name").asText());
            assertFalse(component.path("version").asText().isEmpty(), component.toString());
        }
        Path jar = Path.of(System.getProperty("penstock.root"), "container/standalone/target/penstock.jar");
        Set<String> packed;
        try (JarFile file = new JarFile(jar.toFile())) {
            packed = file.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.matches("META-INF/maven/[^/]+/[^/]+/pom.properties"))
                    .map(name -> name.split("/")[2] + "/" + name.split("/")[3])
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        // The list describes the components of penstock-standalone, so it does not contain penstock-standalone.
        packed.remove("io.penstock/penstock-standalone");
        assertTrue(packed.size() > 10, packed.toString());
        packed.removeAll(components);
        assertEquals(Set.of(), packed, "the jar contains libraries that are not listed");
    }

    // ---- licenses

    private static void assertHasTheLicense(JarFile jar) throws IOException {
        JarEntry license = jar.getJarEntry("META-INF/LICENSE");
        assertNotNull(license, jar.getName());
        assertEquals(
                Files.readString(Path.of(System.getProperty("penstock.root"), "LICENSE")),
                new String(jar.getInputStream(license).readAllBytes(), StandardCharsets.UTF_8),
                jar.getName());
    }

    /** Javadoc jars are not checked: the JDK adds scripts to these jars, together with the licenses of the scripts. */
    @ParameterizedTest
    @MethodSource("foldersOfJars")
    void eachJarContainsTheLicense(Path folder) throws Exception {
        for (String end : List.of(".jar", "-sources.jar")) {
            try (JarFile jar = new JarFile(file(folder, end).toFile())) {
                assertHasTheLicense(jar);
            }
        }
    }

    /** The file {@code bom.json} of the module lists the libraries that the jar contains. */
    @ParameterizedTest
    @CsvSource({"standalone, penstock.jar", "javaee-migration, penstock-javaee-migration.jar"})
    void aJarWithLibrariesContainsTheLicenseOfEachLibrary(String module, String name) throws Exception {
        Path target = Path.of(System.getProperty("penstock.root"), "container", module, "target");
        List<String> libraries = new ArrayList<>();
        for (JsonNode component :
                new ObjectMapper().readTree(target.resolve("bom.json").toFile()).path("components")) {
            if (!component.path("group").asText().equals("io.penstock")) {
                libraries.add(component.path("name").asText());
            }
        }
        assertTrue(libraries.size() > 5, libraries.toString());
        assertEquals(libraries.size(), Set.copyOf(libraries).size(), "two libraries have the same name: " + libraries);

        Pattern license = Pattern.compile("META-INF/licenses/([^/]+)/(META-INF/)?LICENSE(\\.md|\\.txt)?");
        try (JarFile jar = new JarFile(target.resolve(name).toFile())) {
            assertHasTheLicense(jar);
            Set<String> licensed = jar.stream()
                    .filter(entry -> entry.getSize() > 0)
                    .map(entry -> license.matcher(entry.getName()))
                    .filter(Matcher::matches)
                    .map(matcher -> matcher.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(
                    new TreeSet<>(libraries),
                    licensed,
                    "if the jar of a library has no license file, add the file to src/licenses of the module");
        }
    }
}
