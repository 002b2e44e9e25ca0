package io.penstock.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A local Maven repository for tests, with the artifacts of Penstock. The settings file makes Maven read all other artifacts from the
 * local repository of the Penstock build that runs the test. Maven does not change this second repository, and does not use the network.
 *
 * @param folder the folder of the repository
 * @param settings the settings file for Maven
 */
record LocalRepository(Path folder, Path settings) {
    private static final String VERSION = System.getProperty("penstock.version");
    private static final Path ROOT = Path.of(System.getProperty("penstock.root"));

    /** The modules that the plugin and the generated projects need. Each entry has the folder and the artifact of a module. */
    private static final List<String[]> MODULES = List.of(
            new String[] {"container/core", "penstock-core"},
            new String[] {"container/jsp", "penstock-jsp"},
            new String[] {"container/naming", "penstock-naming"},
            new String[] {"container/websocket", "penstock-websocket"},
            new String[] {"container/session-json", "penstock-session-json"},
            new String[] {"container/acme", "penstock-acme"},
            new String[] {"container/session-redis", "penstock-session-redis"},
            new String[] {"container/session-jdbc", "penstock-session-jdbc"},
            new String[] {"container/standalone", "penstock-standalone"},
            new String[] {"container/junit", "penstock-junit"},
            new String[] {"container/archetype", "penstock-archetype"},
            new String[] {"container/maven-plugin", "penstock-maven-plugin"});

    /** Creates the repository in a folder of the test. */
    static LocalRepository in(Path folder) throws IOException {
        Path repository = Files.createDirectories(folder.resolve("repository"));
        put(repository, "penstock-parent", "pom", ROOT.resolve("pom.xml"));
        for (String[] module : MODULES) {
            Path of = ROOT.resolve(module[0]);
            put(repository, module[1], "pom", of.resolve("pom.xml"));
            put(repository, module[1], "jar", of.resolve("target/" + module[1] + "-" + VERSION + ".jar"));
        }
        Path settings = Files.writeString(folder.resolve("settings.xml"), """
                <settings>
                  <mirrors>
                    <mirror>
                      <id>local</id>
                      <mirrorOf>*</mirrorOf>
                      <url>%s</url>
                    </mirror>
                  </mirrors>
                  <pluginGroups>
                    <pluginGroup>io.penstock</pluginGroup>
                  </pluginGroups>
                </settings>
                """.formatted(
                        Path.of(System.getProperty("maven.repository")).toUri()));
        return new LocalRepository(repository, settings);
    }

    /** Returns the folder that Maven uses as the home folder of the user. */
    Path home() {
        return settings.resolveSibling("home");
    }

    private static void put(Path repository, String artifact, String extension, Path file) throws IOException {
        Path to = Files.createDirectories(
                repository.resolve("io/penstock").resolve(artifact).resolve(VERSION));
        Files.copy(file, to.resolve(artifact + "-" + VERSION + "." + extension));
    }
}
