package io.penstock.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The files of a small web application that Maven builds. */
final class WebProject {
    private final Path folder;

    private WebProject(Path folder) {
        this.folder = folder;
    }

    /** Creates a project in a new folder. */
    static WebProject in(Path folder) throws IOException {
        Files.createDirectories(folder);
        return new WebProject(folder);
    }

    Path folder() {
        return folder;
    }

    /** Writes a file of the project. */
    WebProject with(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return this;
    }

    /**
     * Writes a POM.
     *
     * @param place the folder of the POM: an empty string, or a path with a slash at its end
     * @param content the elements after the properties, for example packaging, dependencies and build
     */
    WebProject withPom(String place, String artifact, String content) throws IOException {
        return with(place + "pom.xml", """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>%s</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  %s
                </project>
                """.formatted(artifact, content));
    }

    /**
     * Returns a {@code build} element. Its Maven plugins have the same versions as in the build of Penstock, so Maven finds them without a
     * network.
     */
    static String plugins(String more) {
        return """
                <build>
                  <finalName>shop</finalName>
                  <plugins>
                    <plugin><artifactId>maven-clean-plugin</artifactId><version>3.5.0</version></plugin>
                    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.4.0</version></plugin>
                    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
                    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.4</version></plugin>
                    <plugin><artifactId>maven-jar-plugin</artifactId><version>3.5.0</version></plugin>
                    <plugin><artifactId>maven-war-plugin</artifactId><version>3.5.1</version></plugin>
                    %s
                  </plugins>
                </build>
                """.formatted(more);
    }

    static String penstock(String more) {
        return "<plugin><groupId>io.penstock</groupId><artifactId>penstock-maven-plugin</artifactId><version>"
                + System.getProperty("penstock.version") + "</version>" + more + "</plugin>";
    }

    static String dependency(String coordinates, String scope) {
        String[] parts = coordinates.split(":");
        return "<dependency><groupId>" + parts[0] + "</groupId><artifactId>" + parts[1] + "</artifactId><version>"
                + parts[2] + "</version>" + (parts.length > 3 ? "<type>" + parts[3] + "</type>" : "") + "<scope>"
                + scope + "</scope></dependency>";
    }

    static String servletApi() {
        return dependency(
                "jakarta.servlet:jakarta.servlet-api:" + System.getProperty("servlet-api.version"), "provided");
    }

    /** Compiles the sources of a module without Maven, as an IDE does. */
    void compile(String module) throws IOException {
        Path of = folder.resolve(module);
        List<String> arguments = new ArrayList<>(List.of(
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator + folder.resolve("orders/target/classes"),
                "-d",
                of.resolve("target/classes").toString()));
        try (Stream<Path> sources = Files.walk(of.resolve("src/main/java"))) {
            sources.filter(source -> source.toString().endsWith(".java"))
                    .forEach(source -> arguments.add(source.toString()));
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (result != 0) {
            throw new IOException("javac has failed: " + result);
        }
    }
}
