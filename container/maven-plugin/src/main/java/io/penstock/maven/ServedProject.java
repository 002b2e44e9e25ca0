package io.penstock.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.Resource;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.jspecify.annotations.Nullable;

/**
 * Finds the parts of a web application: in the sources of its project, in its dependencies, and in the other modules of the build.
 *
 * @param reactor the modules of this build; the classes of a module are used instead of its jar
 */
record ServedProject(MavenProject project, Collection<MavenProject> reactor) {
    private static final String WAR = "war";
    private static final String WAR_PLUGIN = "org.apache.maven.plugins:maven-war-plugin";
    private static final String DEFAULT_FILES = "src/main/webapp";

    /** Whether test classes and test dependencies belong to the application. */
    enum Extent {
        MAIN,
        WITH_TESTS
    }

    boolean isWebApplication() {
        return project.getPackaging().equals(WAR);
    }

    /**
     * Returns the description of a server that serves the application from its sources.
     *
     * @param live the folder for the unpacked overlays
     * @param compilation the sources that the server compiles
     */
    Launch launch(
            String contextPath,
            Map<String, String> settings,
            Extent extent,
            LiveFolder live,
            Launch.Compilation compilation)
            throws IOException {
        List<Path> folders = new ArrayList<>();
        Path files = files(project);
        if (!Files.isDirectory(files)) {
            folders.add(live.noFiles());
        }
        folders.add(files);
        List<Path> classes = new ArrayList<>();
        if (extent == Extent.WITH_TESTS) {
            addClasses(project.getTestResources(), project.getBuild().getTestOutputDirectory(), classes);
        }
        addClasses(project.getResources(), project.getBuild().getOutputDirectory(), classes);
        Map<String, Path> libraries = new LinkedHashMap<>();
        for (Artifact artifact : project.getArtifacts()) {
            // Optional artifacts are omitted, because the WAR plugin omits them, too.
            boolean isPacked = extent == Extent.WITH_TESTS || !artifact.isOptional();
            if (!isPacked || !scopes(extent).contains(artifact.getScope())) {
                continue;
            }
            MavenProject module = module(artifact);
            if (artifact.getType().equals(WAR)) {
                addOverlay(artifact, module, live, folders, classes);
            } else if (artifact.getArtifactHandler().isAddedToClasspath()) {
                libraries.put(freeName(artifact, libraries), content(artifact, module));
            }
        }
        return new Launch(contextPath, Launch.Kind.SOURCES, settings, folders, classes, libraries, compilation);
    }

    private static Set<String> scopes(Extent extent) {
        return extent == Extent.MAIN
                ? Set.of(Artifact.SCOPE_COMPILE, Artifact.SCOPE_RUNTIME)
                : Set.of(Artifact.SCOPE_COMPILE, Artifact.SCOPE_RUNTIME, Artifact.SCOPE_TEST);
    }

    /** The folder with the web files of the project. The folder might not exist. */
    private static Path files(MavenProject project) {
        Path base = project.getBasedir().toPath();
        Path files = base.resolve(DEFAULT_FILES);
        Plugin plugin = project.getPlugin(WAR_PLUGIN);
        if (plugin != null && plugin.getConfiguration() instanceof Xpp3Dom configuration) {
            Xpp3Dom folder = configuration.getChild("warSourceDirectory");
            files = folder == null ? files : base.resolve(folder.getValue());
        }
        return files;
    }

    /**
     * Adds the folders of the resources and of the compiled classes. Resources without filtering are served from their source folder. So a
     * change of such a resource needs no build.
     */
    private static void addClasses(List<Resource> resources, String compiled, List<Path> classes) {
        for (Resource resource : resources) {
            boolean asItIs = !resource.isFiltering()
                    && resource.getTargetPath() == null
                    && resource.getIncludes().isEmpty()
                    && resource.getExcludes().isEmpty();
            if (asItIs) {
                classes.add(Path.of(resource.getDirectory()));
            }
        }
        classes.add(Path.of(compiled));
    }

    private @Nullable MavenProject module(Artifact artifact) {
        return reactor.stream()
                .filter(module -> !module.equals(project)
                        && module.getGroupId().equals(artifact.getGroupId())
                        && module.getArtifactId().equals(artifact.getArtifactId())
                        && module.getVersion().equals(artifact.getBaseVersion()))
                .findFirst()
                .orElse(null);
    }

    private static Path content(Artifact artifact, @Nullable MavenProject module) {
        if (module == null) {
            return artifact.getFile().toPath();
        }
        boolean ofTests = artifact.getType().equals("test-jar") || "tests".equals(artifact.getClassifier());
        if (!ofTests && artifact.hasClassifier()) {
            return artifact.getFile().toPath();
        }
        return Path.of(
                ofTests
                        ? module.getBuild().getTestOutputDirectory()
                        : module.getBuild().getOutputDirectory());
    }

    /** The file name of the library in the WAR. The name contains the group id if another library has the same file name. */
    private static String freeName(Artifact artifact, Map<String, Path> taken) {
        String classifier = artifact.hasClassifier() ? "-" + artifact.getClassifier() : "";
        String name = artifact.getArtifactId() + "-" + artifact.getVersion() + classifier + ".jar";
        return taken.containsKey(name) ? artifact.getGroupId() + "-" + name : name;
    }

    private static void addOverlay(
            Artifact artifact, @Nullable MavenProject module, LiveFolder live, List<Path> folders, List<Path> classes)
            throws IOException {
        if (module != null) {
            folders.add(files(module));
            addClasses(module.getResources(), module.getBuild().getOutputDirectory(), classes);
            return;
        }
        Path unpacked = live.overlay(artifact);
        Overlay.unpack(artifact.getFile().toPath(), unpacked);
        folders.add(unpacked);
    }
}
