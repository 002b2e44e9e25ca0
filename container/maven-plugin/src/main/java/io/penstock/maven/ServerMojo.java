package io.penstock.maven;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.inject.Inject;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.LifecycleExecutor;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.jspecify.annotations.Nullable;

/** The base class of all goals that start a server. */
abstract class ServerMojo extends AbstractMojo {
    /** The TCP port. {@code 0} means any free port. */
    @Parameter(property = "penstock.port", defaultValue = "8080")
    private int port;

    /** The host name or address of the server's listener. */
    @Parameter(property = "penstock.host", defaultValue = "127.0.0.1")
    private String host;

    /** The context path: {@code /}, or {@code /name}. */
    @Parameter(property = "penstock.contextPath", defaultValue = "/")
    private String contextPath;

    /** Keys of the configuration reference with their values, such as {@code <workers>8</workers>}. */
    @Parameter
    private @Nullable Map<String, String> settings;

    /** The name of a project property that is set to the port. */
    @Parameter(property = "penstock.portProperty", defaultValue = "penstock.http.port")
    private String portProperty;

    /** Skips this goal. */
    @Parameter(property = "penstock.skip", defaultValue = "false")
    private boolean skip;

    /** Starts the server in a separate JVM. */
    @Parameter(property = "penstock.fork", defaultValue = "false")
    private boolean fork;

    /** Arguments of the forked JVM. */
    @Parameter(property = "penstock.jvmArguments")
    private @Nullable List<String> jvmArguments;

    /**
     * The folder for stored sessions and unpacked overlays, which remain after the end of the server. By default, this folder is in the
     * user's home folder.
     */
    @Parameter(property = "penstock.liveFolder")
    private @Nullable File liveFolder;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    private MavenSession session;

    @Parameter(defaultValue = "${plugin}", readonly = true, required = true)
    private PluginDescriptor plugin;

    @Inject
    private RepositorySystem repository;

    @Inject
    private LifecycleExecutor lifecycle;

    @Override
    public final void execute() throws MojoExecutionException {
        if (skip) {
            getLog().info("Penstock is skipped");
            return;
        }
        ServedProject served = new ServedProject(project, session.getProjects());
        if (!isFor(served)) {
            getLog().info(project.getArtifactId() + " is not a web application: nothing to serve");
            return;
        }
        try {
            use(start(launch(served)));
        } catch (LaunchException e) {
            throw new MojoExecutionException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new MojoExecutionException("The application cannot be served: " + e, e);
        } catch (InterruptedException e) {
            // An interrupt ends the server.
            Thread.currentThread().interrupt();
        }
    }

    /** Whether this goal has an application to serve. */
    abstract boolean isFor(ServedProject served);

    /** Returns the application to serve, with the settings of the server. */
    abstract Launch launch(ServedProject served) throws IOException, MojoExecutionException;

    /** Uses the started server. The base class calls this method after the start. */
    abstract void use(LaunchedServer server) throws IOException, InterruptedException, LaunchException;

    final String contextPath() {
        return contextPath;
    }

    final MavenProject project() {
        return project;
    }

    /** The settings of the server. The setting {@code listen} replaces the address and the port. */
    final Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>(settings == null ? Map.of() : settings);
        if (!all.containsKey("listen")) {
            all.putIfAbsent("host", host);
            all.putIfAbsent("port", Integer.toString(port));
        }
        return all;
    }

    final LiveFolder live() throws IOException {
        return LiveFolder.of(project, liveFolder);
    }

    /**
     * The settings of a server that stores its sessions. Stored sessions remain after a new version of the application, and after a restart
     * of the server.
     */
    final Map<String, String> settingsWithSessions() throws IOException {
        Map<String, String> all = settings();
        if (!all.containsKey("session-dir") && !all.containsKey("session-store")) {
            all.put("session-dir", live().sessions().toString());
        }
        return all;
    }

    /** The sources that the server compiles as Maven does. If it cannot, the log says why, and the list is empty. */
    final Launch.Compilation compilation() {
        try {
            return CompilerGoal.of(project, session, repository, lifecycle).compilation();
        } catch (CompilerGoal.UnsupportedException e) {
            getLog().info("The server does not compile the sources, but follows target/classes: " + e.getMessage());
            return Launch.Compilation.NONE;
        }
    }

    private LaunchedServer start(Launch launch)
            throws IOException, InterruptedException, LaunchException, MojoExecutionException {
        LaunchedServer server = fork
                ? ForkedServer.start(
                        launch,
                        classPath(),
                        jvmArguments == null ? List.of() : jvmArguments,
                        Path.of(project.getBuild().getDirectory(), "penstock"),
                        System.out::println)
                : LaunchedServer.here(launch);
        project.getProperties().setProperty(portProperty, Integer.toString(server.port()));
        getLog().info("Penstock serves " + project.getArtifactId() + " at " + server.url());
        return server;
    }

    /**
     * The class path of the separate JVM: the plugin with its dependencies, and slf4j's API. In Maven's own JVM, Maven provides slf4j's
     * API.
     */
    private List<Path> classPath() throws IOException, MojoExecutionException {
        List<Path> all = new ArrayList<>();
        for (Artifact artifact : plugin.getArtifacts()) {
            all.add(artifact.getFile().toPath());
        }
        Properties versions = new Properties();
        try (InputStream in = ServerMojo.class.getResourceAsStream("versions.properties")) {
            versions.load(in);
        }
        try {
            ArtifactRequest request = new ArtifactRequest(
                    new DefaultArtifact("org.slf4j:slf4j-api:" + versions.getProperty("slf4j")),
                    project.getRemotePluginRepositories(),
                    null);
            all.add(repository
                    .resolveArtifact(session.getRepositorySession(), request)
                    .getArtifact()
                    .getFile()
                    .toPath());
        } catch (ArtifactResolutionException e) {
            throw new MojoExecutionException(String.valueOf(e.getMessage()), e);
        }
        return all;
    }
}
