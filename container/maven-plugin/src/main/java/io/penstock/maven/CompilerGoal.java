package io.penstock.maven;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.maven.RepositoryUtils;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.LifecycleExecutor;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.PluginParameterExpressionEvaluator;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.component.configurator.expression.ExpressionEvaluationException;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.jspecify.annotations.Nullable;

/**
 * The goal {@code compile} of the compiler plugin, with the configuration that it has in the project. The server compiles the sources in
 * the same way.
 */
final class CompilerGoal {
    private static final String PLUGIN = "maven-compiler-plugin";
    private static final Set<String> PHASES = Set.of("compile", "process-classes");

    /** Parameters that the server does not follow. */
    private static final List<String> UNSUPPORTED = List.of("includes", "excludes", "executable", "jdkToolchain");

    private final MavenProject project;
    private final MavenSession session;
    private final RepositorySystem repository;
    private final MojoExecution goal;

    /** The server cannot compile the sources as Maven does. The message is one line with the reason. */
    static final class UnsupportedException extends Exception {
        private static final long serialVersionUID = 1L;

        UnsupportedException(String reason) {
            super(reason);
        }
    }

    private CompilerGoal(MavenProject project, MavenSession session, RepositorySystem repository, MojoExecution goal) {
        this.project = project;
        this.session = session;
        this.repository = repository;
        this.goal = goal;
    }

    /**
     * Finds the goal in the build of the current project.
     *
     * @throws UnsupportedException if other plugins make or change classes, too
     */
    static CompilerGoal of(
            MavenProject project, MavenSession session, RepositorySystem repository, LifecycleExecutor lifecycle)
            throws UnsupportedException {
        MojoExecution found = null;
        Set<String> others = new TreeSet<>();
        for (MojoExecution execution : plan(session, lifecycle)) {
            if (execution.getArtifactId().equals(PLUGIN) && found == null) {
                found = execution;
            } else if (PHASES.contains(execution.getLifecyclePhase())) {
                others.add(execution.getArtifactId());
            }
        }
        if (found == null || !others.isEmpty()) {
            throw new UnsupportedException("classes are made by " + String.join(", ", others));
        }
        return new CompilerGoal(project, session, repository, found);
    }

    /** The executions of all goals until the classes are complete. */
    private static List<MojoExecution> plan(MavenSession session, LifecycleExecutor lifecycle)
            throws UnsupportedException {
        try {
            return lifecycle.calculateExecutionPlan(session, "process-classes").getMojoExecutions();
        } catch (Exception e) {
            // Maven has just run these goals, so a failure is not expected. The project can be served without them.
            throw new UnsupportedException(e.toString());
        }
    }

    /** Returns the sources, and how the server compiles them. */
    Launch.Compilation compilation() throws UnsupportedException {
        for (String parameter : UNSUPPORTED) {
            Xpp3Dom given = goal.getConfiguration().getChild(parameter);
            if (given != null && (given.getChildCount() > 0 || text(given) != null)) {
                throw new UnsupportedException(PLUGIN + " has the parameter " + parameter);
            }
        }
        String compiler = text("compilerId");
        if (compiler != null && !compiler.equals("javac")) {
            throw new UnsupportedException("the compiler is " + compiler);
        }
        return new Launch.Compilation(sources(), classPath(), options());
    }

    private List<Path> sources() throws UnsupportedException {
        // Goals before "compile" can add folders of generated sources. They ran for the execution project.
        MavenProject executed = project.getExecutionProject() == null ? project : project.getExecutionProject();
        String generated = text("generatedSourcesDirectory");
        List<Path> folders = new ArrayList<>();
        for (String root : executed.getCompileSourceRoots()) {
            // The compiler generates the sources in this folder again.
            if (generated == null || !Path.of(root).equals(Path.of(generated))) {
                folders.add(Path.of(root));
            }
        }
        return folders;
    }

    private List<Path> classPath() throws UnsupportedException {
        try {
            return project.getCompileClasspathElements().stream()
                    .filter(element -> !element.equals(project.getBuild().getOutputDirectory()))
                    .map(Path::of)
                    .toList();
        } catch (DependencyResolutionRequiredException e) {
            throw new UnsupportedException(e.toString());
        }
    }

    private List<String> options() throws UnsupportedException {
        List<String> options = new ArrayList<>();
        if (text("release") != null) {
            add(options, "--release", text("release"));
        } else {
            add(options, "-source", text("source"));
            add(options, "-target", text("target"));
        }
        add(options, "-encoding", text("encoding"));
        if (Boolean.parseBoolean(text("parameters"))) {
            options.add("-parameters");
        }
        if (Boolean.parseBoolean(text("enablePreview"))) {
            options.add("--enable-preview");
        }
        if (Boolean.parseBoolean(text("failOnWarning"))) {
            options.add("-Werror");
        }
        if (text("proc") != null) {
            options.add("-proc:" + text("proc"));
        }
        List<String> processors = children("annotationProcessors");
        if (!processors.isEmpty()) {
            add(options, "-processor", String.join(",", processors));
        }
        Xpp3Dom paths = goal.getConfiguration().getChild("annotationProcessorPaths");
        if (paths != null && paths.getChildCount() > 0) {
            add(options, "-processorpath", processorPath(paths));
        }
        options.addAll(children("compilerArgs"));
        if (text("compilerArgument") != null) {
            options.add(text("compilerArgument"));
        }
        return options;
    }

    private static void add(List<String> options, String name, @Nullable String value) {
        if (value != null) {
            options.add(name);
            options.add(value);
        }
    }

    private List<String> children(String parameter) throws UnsupportedException {
        List<String> values = new ArrayList<>();
        Xpp3Dom parent = goal.getConfiguration().getChild(parameter);
        for (Xpp3Dom child : parent == null ? new Xpp3Dom[0] : parent.getChildren()) {
            String value = text(child);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private String processorPath(Xpp3Dom paths) throws UnsupportedException {
        CollectRequest wanted = new CollectRequest();
        wanted.setRepositories(project.getRemoteProjectRepositories());
        for (Xpp3Dom path : paths.getChildren()) {
            wanted.addDependency(new Dependency(artifact(path), "runtime"));
        }
        List<String> files = new ArrayList<>();
        try {
            for (ArtifactResult result : repository
                    .resolveDependencies(session.getRepositorySession(), new DependencyRequest(wanted, null))
                    .getArtifactResults()) {
                files.add(result.getArtifact().getFile().toString());
            }
        } catch (DependencyResolutionException e) {
            throw new UnsupportedException(String.valueOf(e.getMessage()));
        }
        return String.join(java.io.File.pathSeparator, files);
    }

    private Artifact artifact(Xpp3Dom path) throws UnsupportedException {
        String group = requiredText(path, "groupId");
        String name = requiredText(path, "artifactId");
        Xpp3Dom version = path.getChild("version");
        Artifact artifact = new DefaultArtifact(group, name, "jar", version == null ? "" : text(version));
        if (version != null) {
            return artifact;
        }
        // As in the compiler plugin, the version is that of the dependency management.
        if (project.getDependencyManagement() != null) {
            for (org.apache.maven.model.Dependency managed :
                    project.getDependencyManagement().getDependencies()) {
                if (managed.getGroupId().equals(group)
                        && managed.getArtifactId().equals(name)) {
                    return RepositoryUtils.toDependency(
                                    managed, session.getRepositorySession().getArtifactTypeRegistry())
                            .getArtifact();
                }
            }
        }
        throw new UnsupportedException("the annotation processor " + group + ":" + name + " has no version");
    }

    private String requiredText(Xpp3Dom parent, String name) throws UnsupportedException {
        Xpp3Dom child = parent.getChild(name);
        String value = child == null ? null : text(child);
        if (value == null) {
            throw new UnsupportedException(parent.getName() + " has no " + name);
        }
        return value;
    }

    private @Nullable String text(String parameter) throws UnsupportedException {
        Xpp3Dom given = goal.getConfiguration().getChild(parameter);
        return given == null ? null : text(given);
    }

    /** The value of a parameter: as configured, or by default. Null if it has none. */
    private @Nullable String text(Xpp3Dom parameter) throws UnsupportedException {
        String given = parameter.getValue() == null ? null : evaluated(parameter.getValue());
        String fallback = parameter.getAttribute("default-value");
        String value = given == null && fallback != null ? evaluated(fallback) : given;
        return value == null || value.isBlank() ? null : value.strip();
    }

    private @Nullable String evaluated(String expression) throws UnsupportedException {
        try {
            Object value = new PluginParameterExpressionEvaluator(session, goal).evaluate(expression);
            return value == null ? null : value.toString();
        } catch (ExpressionEvaluationException e) {
            throw new UnsupportedException(String.valueOf(e.getMessage()));
        }
    }
}
