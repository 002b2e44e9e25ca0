package io.penstock.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.maven.repository.internal.MavenRepositorySystemUtils;
import org.eclipse.aether.DefaultRepositorySystemSession;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.graph.DependencyVisitor;
import org.eclipse.aether.repository.LocalRepository;
import org.eclipse.aether.repository.WorkspaceReader;
import org.eclipse.aether.repository.WorkspaceRepository;
import org.eclipse.aether.resolution.ArtifactDescriptorRequest;
import org.eclipse.aether.resolution.ArtifactDescriptorResult;
import org.eclipse.aether.util.artifact.JavaScopes;
import org.eclipse.aether.util.filter.DependencyFilterUtils;
import org.eclipse.aether.util.repository.SimpleArtifactDescriptorPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Resolves each published module as Maven does it in three places: in the build of Penstock, in a program that depends on the module, and
 * in a program that also imports the BOM. The management of the parent holds only in the first place. The programs must get the same
 * versions of all libraries as the build, which has tested them.
 *
 * <p>Only POMs are read: those of the sources, and those that the build has put into the local repository. A POM that is missing there is
 * one that the build does not need, since the management of the parent replaces its version. If a program needed that version, the versions
 * would differ, and the test would fail.
 */
class UserDependenciesIT {
    private static final String GROUP = "io.penstock";
    private static final Path ROOT = Path.of(System.getProperty("penstock.root"));
    private static final String VERSION = System.getProperty("penstock.version");

    /** Annotations for compilers. No program needs them at run time, and many libraries bring them. */
    private static final Set<String> ANNOTATIONS =
            Set.of("com.google.errorprone:error_prone_annotations", "org.jspecify:jspecify");

    /** The management of Spring Boot decides the versions of the starter's libraries, so it has a test of its own. */
    private static final String STARTER = "penstock-spring-boot-starter";

    private RepositorySystem system;
    private DefaultRepositorySystemSession session;

    @BeforeEach
    @SuppressWarnings("deprecation") // the successor needs a container for components
    void open() {
        system = MavenRepositorySystemUtils.newServiceLocator().getService(RepositorySystem.class);
        session = MavenRepositorySystemUtils.newSession();
        session.setOffline(true);
        session.setSystemProperties(System.getProperties());
        session.setArtifactDescriptorPolicy(new SimpleArtifactDescriptorPolicy(true, true));
        session.setWorkspaceReader(new Sources());
        // A simple repository does not record the servers that its files came from.
        LocalRepository local = new LocalRepository(new File(System.getProperty("maven.repository")), "simple");
        session.setLocalRepositoryManager(system.newLocalRepositoryManager(session, local));
    }

    /** The POMs of this build. */
    private static final class Sources implements WorkspaceReader {
        @Override
        public WorkspaceRepository getRepository() {
            return new WorkspaceRepository("sources");
        }

        @Override
        public File findArtifact(Artifact artifact) {
            if (!artifact.getGroupId().equals(GROUP) || !artifact.getExtension().equals("pom")) {
                return null;
            }
            String module =
                    artifact.getArtifactId().replaceFirst("penstock-", "").replaceFirst("-starter$", "");
            Path pom = module.equals("parent")
                    ? ROOT.resolve("pom.xml")
                    : ROOT.resolve("container/" + module + "/pom.xml");
            return Files.exists(pom) ? pom.toFile() : null;
        }

        @Override
        public List<String> findVersions(Artifact artifact) {
            return List.of();
        }
    }

    private ArtifactDescriptorResult descriptor(String artifact, String extension) throws Exception {
        return descriptor(new DefaultArtifact(GROUP, artifact, extension, VERSION));
    }

    private ArtifactDescriptorResult descriptor(Artifact artifact) throws Exception {
        ArtifactDescriptorRequest request = new ArtifactDescriptorRequest();
        request.setArtifact(artifact);
        ArtifactDescriptorResult result = system.readArtifactDescriptor(session, request);
        assertEquals(List.of(), result.getExceptions(), artifact::toString);
        return result;
    }

    /** The libraries at run time, each with its version. */
    private Map<String, String> resolved(List<Dependency> dependencies, List<Dependency> managed) throws Exception {
        CollectRequest request = new CollectRequest();
        request.setDependencies(dependencies);
        request.setManagedDependencies(managed);
        Map<String, String> versions = new TreeMap<>();
        var atRunTime = DependencyFilterUtils.classpathFilter(JavaScopes.RUNTIME);
        system.collectDependencies(session, request).getRoot().accept(new DependencyVisitor() {
            @Override
            public boolean visitEnter(DependencyNode node) {
                Artifact artifact = node.getArtifact();
                if (artifact != null && atRunTime.accept(node, List.of())) {
                    versions.put(artifact.getGroupId() + ":" + artifact.getArtifactId(), artifact.getVersion());
                }
                return true;
            }

            @Override
            public boolean visitLeave(DependencyNode node) {
                return true;
            }
        });
        versions.keySet().removeAll(ANNOTATIONS);
        return versions;
    }

    private static void compare(
            Map<String, String> tested, Map<String, String> got, String program, List<String> differences) {
        Set<String> all = new TreeSet<>(tested.keySet());
        all.addAll(got.keySet());
        for (String library : all) {
            String version = got.getOrDefault(library, "missing");
            String expected = tested.getOrDefault(library, "none");
            if (!version.equals(expected)) {
                differences.add(program + ": " + library + " " + version + " instead of " + expected);
            }
        }
    }

    /** A program with Spring Boot has the management of Boot, by its parent or by an import. */
    @Test
    void aProgramWithSpringBootGetsTheVersionsThatTheBuildHasTested() throws Exception {
        ArtifactDescriptorResult own = descriptor(STARTER, "jar");
        String boot = own.getManagedDependencies().stream()
                .map(Dependency::getArtifact)
                .filter(artifact -> artifact.getArtifactId().equals("spring-boot"))
                .findFirst()
                .orElseThrow()
                .getVersion();
        List<Dependency> ofBoot = descriptor(
                        new DefaultArtifact("org.springframework.boot", "spring-boot-dependencies", "pom", boot))
                .getManagedDependencies();
        // A program adds the optional libraries itself.
        List<Dependency> brought = own.getDependencies().stream()
                .filter(dependency -> !dependency.isOptional())
                .toList();
        Map<String, String> tested = resolved(brought, own.getManagedDependencies());
        tested.put(GROUP + ":" + STARTER, VERSION);
        Dependency starter = new Dependency(new DefaultArtifact(GROUP, STARTER, "jar", VERSION), JavaScopes.COMPILE);
        Map<String, String> got = resolved(List.of(starter), ofBoot);
        // Boot names its own patch release of SLF4J.
        for (Map<String, String> versions : List.of(tested, got)) {
            versions.replaceAll((library, version) ->
                    library.startsWith("org.slf4j:") ? version.replaceFirst("[0-9]+$", "x") : version);
        }
        List<String> differences = new ArrayList<>();
        compare(tested, got, STARTER, differences);
        assertEquals(List.of(), differences);
    }

    /** The modules that a release publishes, without the BOM. */
    private static Set<String> published() throws IOException {
        Set<String> published = new TreeSet<>();
        try (DirectoryStream<Path> poms = Files.newDirectoryStream(ROOT.resolve("container"))) {
            for (Path module : poms) {
                Path pom = module.resolve("pom.xml");
                String name = module.getFileName().toString();
                if (Files.exists(pom)
                        && !Set.of("bom", "tck").contains(name)
                        && !Files.readString(pom).contains("<maven.deploy.skip>true")) {
                    published.add("penstock-" + name + (name.equals("spring-boot") ? "-starter" : ""));
                }
            }
        }
        return published;
    }

    @Test
    void programsGetTheVersionsThatTheBuildHasTested() throws Exception {
        List<Dependency> bom = descriptor("penstock-bom", "pom").getManagedDependencies();
        List<String> differences = new ArrayList<>();
        Map<String, String> testedOfAll = new TreeMap<>();
        List<Dependency> all = new ArrayList<>();
        Set<String> seen = new TreeSet<>(Set.of(STARTER)); // by the other test
        for (Dependency entry : bom) {
            String library = entry.getArtifact().getArtifactId();
            if (!entry.getArtifact().getGroupId().equals(GROUP) || library.equals(STARTER)) {
                continue;
            }
            ArtifactDescriptorResult own = descriptor(library, "jar");
            Map<String, String> tested = resolved(own.getDependencies(), own.getManagedDependencies());
            tested.put(GROUP + ":" + library, VERSION);
            Dependency dependency =
                    new Dependency(new DefaultArtifact(GROUP, library, "jar", VERSION), JavaScopes.COMPILE);
            compare(tested, resolved(List.of(dependency), List.of()), library, differences);
            compare(tested, resolved(List.of(dependency), bom), library + " with the BOM", differences);
            testedOfAll.putAll(tested);
            all.add(dependency);
            seen.add(library);
        }
        // Not in the BOM, since no program has them as libraries. Maven resolves them by their POMs, too.
        for (String program : List.of("penstock-standalone", "penstock-maven-plugin", "penstock-archetype")) {
            ArtifactDescriptorResult own = descriptor(program, "jar");
            Map<String, String> tested = resolved(own.getDependencies(), own.getManagedDependencies());
            tested.put(GROUP + ":" + program, VERSION);
            Dependency dependency =
                    new Dependency(new DefaultArtifact(GROUP, program, "jar", VERSION), JavaScopes.COMPILE);
            compare(tested, resolved(List.of(dependency), List.of()), program, differences);
            seen.add(program);
        }
        compare(testedOfAll, resolved(all, List.of()), "all libraries", differences);
        compare(testedOfAll, resolved(all, bom), "all libraries with the BOM", differences);
        assertEquals(List.of(), differences);
        assertEquals(published(), seen);
    }
}
