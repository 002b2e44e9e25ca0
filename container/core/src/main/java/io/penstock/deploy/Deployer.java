package io.penstock.deploy;

import io.penstock.context.ContextInitializer;
import io.penstock.context.ContextServices;
import io.penstock.context.ContextSettings;
import io.penstock.context.FilterHolder;
import io.penstock.context.Filters;
import io.penstock.context.ObjectFactory;
import io.penstock.context.Resources;
import io.penstock.context.ServletHolder;
import io.penstock.context.SessionSettings;
import io.penstock.context.WebContext;
import io.penstock.files.DefaultServlet;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.Switch;
import io.penstock.part.JavaxMigration;
import io.penstock.security.SubjectRunAs;
import io.penstock.session.RestingSessions;
import io.penstock.spool.OwnedFolder;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes web applications of what an operator or a program names: a WAR file, an exploded web application, a plain folder of
 * files, or a definition in code.
 *
 * <p>Thread: any; each deployment on its own.
 */
public final class Deployer {
    /** The name under which descriptors may map the default servlet, as in other containers. */
    private static final String DEFAULT = "default";

    private static final String MIGRATE = "--" + Key.MIGRATE_JAVAX.id();
    private static final String MIGRATION_MISSING = Key.MIGRATE_JAVAX.id()
            + ": this server has no part for it; put penstock-javaee-migration.jar beside penstock.jar, or on the class path";

    private static final Logger LOG = LoggerFactory.getLogger(Deployer.class);

    private final Surroundings surroundings;
    private final Parts parts;

    public Deployer(Surroundings surroundings) {
        this(surroundings, Parts.found());
    }

    Deployer(Surroundings surroundings, Parts parts) {
        this.surroundings = surroundings;
        this.parts = parts;
    }

    /**
     * Reads and checks an application, up to the classes of its servlets, filters and listeners; none of its code has run but
     * that of initialisers' constructors.
     *
     * @param contextPath {@code /} for the root, or {@code /name}
     * @param content a WAR file, or a folder
     * @throws DeploymentException with one line that names what is wrong, and where
     */
    public WebApplication deploy(String contextPath, Path content) throws DeploymentException {
        if (!Files.exists(content)) {
            throw new DeploymentException(content + ": no such file or folder");
        }
        Undertaking undertaking = new Undertaking(content.toString());
        try {
            OwnedFolder temporary = undertaking.owns(OwnedFolder.create(surroundings.temporary(), plainName(content)));
            ApplicationSettings outside = surroundings.settings().apply(contextPath);
            ApplicationFiles files = files(content, temporary, outside);
            Path work = Files.createDirectory(temporary.path().resolve("work"));
            if (!files.isWebApplication() && Files.isDirectory(content)) {
                return plainFolder(contextPath, files, outside, work, undertaking);
            }
            Assembled assembled = Assembled.of(files, outside);
            String formerApi = FormerApi.use(files, assembled);
            if (formerApi != null) {
                Path converted = converted(content, outside, formerApi);
                files = unpacked(converted, temporary.path().resolve("converted"), outside);
                assembled = Assembled.of(files, outside);
            }
            return application(contextPath, files, assembled, outside, work, plainName(content), undertaking);
        } catch (DeploymentException e) {
            undertaking.abandon();
            throw e.within(content.toString());
        } catch (IOException e) {
            undertaking.abandon();
            throw new DeploymentException(content + ": cannot be read: " + e, e);
        } catch (RuntimeException
                | LinkageError e) { // nobody has foreseen it, and it is this application's all the same
            undertaking.abandon();
            LOG.error("{} cannot be deployed", content, e);
            throw new DeploymentException(content + ": cannot be deployed: " + e, e);
        } catch (Error e) {
            undertaking.abandon();
            throw e;
        }
    }

    private ApplicationFiles files(Path content, OwnedFolder temporary, ApplicationSettings outside)
            throws DeploymentException, IOException {
        return Files.isDirectory(content)
                ? ApplicationFiles.of(content.toRealPath())
                : unpacked(content, temporary.path().resolve("application"), outside);
    }

    /** @param root a folder that is not there yet */
    private ApplicationFiles unpacked(Path archive, Path root, ApplicationSettings outside)
            throws DeploymentException, IOException {
        Files.createDirectory(root);
        try {
            WarFile.unpack(archive, root, outside.unpackedLimit());
        } catch (WarFile.TooLargeException e) {
            surroundings.counters().increment(Counter.ARCHIVES_TOO_LARGE);
            throw e;
        }
        return ApplicationFiles.of(root.toRealPath());
    }

    /**
     * The archive for the API of this server.
     *
     * @param formerApi says which class is of the former API, and what names it
     */
    private Path converted(Path content, ApplicationSettings outside, String formerApi) throws DeploymentException {
        if (outside.migrateJavax() == Switch.OFF) {
            throw new DeploymentException(formerApi + ", and this server has jakarta.servlet: start it with " + MIGRATE
                    + ", or convert the archive");
        }
        if (Files.isDirectory(content)) {
            throw new DeploymentException(formerApi + ", and " + MIGRATE + " converts WAR files only, not folders");
        }
        JavaxMigration migration =
                parts.migration().orElseThrow(() -> new DeploymentException(formerApi + ", and " + MIGRATION_MISSING));
        return new ConvertedArchives(outside.migratedFolder(), migration).of(content);
    }

    /** @throws IllegalArgumentException if there is no part that converts archives */
    public static void requireMigration() {
        if (Parts.found().migration().isEmpty()) {
            throw new IllegalArgumentException(MIGRATION_MISSING);
        }
    }

    /**
     * What descriptor, fragments and annotations of an application say together, as text for people, each element with the place
     * that it comes from. No class is loaded, and nothing is left behind.
     *
     * @param contextPath whose settings count
     * @param content a WAR file, or a folder
     * @throws DeploymentException as {@link #deploy(String, Path)}
     */
    public String effectiveDescriptor(String contextPath, Path content) throws DeploymentException {
        if (!Files.exists(content)) {
            throw new DeploymentException(content + ": no such file or folder");
        }
        try (OwnedFolder temporary = OwnedFolder.create(surroundings.temporary(), plainName(content))) {
            ApplicationSettings outside = surroundings.settings().apply(contextPath);
            ApplicationFiles files = files(content, temporary, outside);
            return EffectiveDescriptor.of(Assembled.of(files, outside), files.libraryNames(), outside);
        } catch (DeploymentException e) {
            throw e.within(content.toString());
        } catch (IOException e) {
            throw new DeploymentException(content + ": cannot be read: " + e, e);
        }
    }

    /** Characters of the file's name that are safe in any file's name. */
    private static String plainName(Path content) {
        return String.valueOf(content.getFileName()).replaceAll("[^A-Za-z0-9_.-]|\\.war$", "");
    }

    private WebApplication application(
            String contextPath,
            ApplicationFiles files,
            Assembled assembled,
            ApplicationSettings outside,
            Path work,
            String name,
            Undertaking undertaking)
            throws DeploymentException, IOException {
        WebAppClassLoader loader = undertaking.owns(
                new WebAppClassLoader(undertaking.source, files.classPath(), ApiLoader.ofContainer(parts)));
        undertaking.owns(new JdbcDrivers(loader));
        undertaking.owns(new BeanCaches());
        undertaking.owns(new RecordMethods());
        undertaking.owns(new PlatformThreads(loader));
        ApplicationEnvironment environment = ApplicationEnvironment.open(
                surroundings.environments(), assembled, loader, undertaking.source, contextPath, name);
        undertaking.owns(environment.names());
        Resources resources = undertaking.owns(Resources.of(files.root(), assembled.order()));
        ContextSettings.Builder settings = settings(contextPath)
                .classLoader(loader)
                .temporary(work)
                .resources(resources)
                .orderedLibs(assembled.orderedLibs())
                .welcomeFiles(parts.welcomeFiles());
        WebXmlSettings.apply(assembled.xml(), settings);
        settings.encodings(OutsideSettings.ofFiles(outside));
        Set<String> declared = assembled.xml().servlets().stream()
                .map(WebXml.ServletDeclaration::name)
                .collect(Collectors.toSet());
        WebContext context = context(settings.build(), environment.objects(), declared, true);
        WebXmlRegistrations.apply(assembled.xml(), context, loader, assembled.scope());
        RoleAnnotations.apply(context, loader, assembled.scope());
        environment.prepare(assembled.xml(), loader);
        List<ContextInitializer> initializers = Initializers.of(
                parts, files, loader, assembled.excluded(files), assembled.exclusions(), () -> assembled.index(files));
        String cost = assembled.scans().cost();
        if (cost != null) {
            LOG.info("{}: {}", undertaking.source, cost);
        }
        Map<String, Where> preliminary = assembled.xml().servlets().stream()
                .filter(servlet -> servlet.className() == null && servlet.jspFile() == null)
                .collect(Collectors.toMap(WebXml.ServletDeclaration::name, WebXml.ServletDeclaration::at));
        return undertaking.done(context, initializers, preliminary);
    }

    private WebApplication plainFolder(
            String contextPath, ApplicationFiles files, ApplicationSettings outside, Path work, Undertaking undertaking)
            throws DeploymentException, IOException {
        Resources resources = undertaking.owns(Resources.of(files.root(), List.of()));
        ContextSettings settings = settings(contextPath)
                .classLoader(ApiLoader.ofContainer(Parts.NONE))
                .temporary(work)
                .resources(resources)
                .encodings(OutsideSettings.ofFiles(outside))
                .build();
        return undertaking.done(context(settings, ObjectFactory.REFLECTIVE, Set.of(), false));
    }

    /**
     * Makes a context of instances; their classes are loaded already, and the class loader of the calling thread is the context's.
     *
     * @throws DeploymentException if two of its servlets or filters have one name or one pattern, or a pattern is none
     */
    public WebApplication deploy(ContextDefinition definition) throws DeploymentException {
        Undertaking undertaking = new Undertaking("context " + definition.contextPath());
        try {
            OwnedFolder temporary = undertaking.owns(OwnedFolder.create(surroundings.temporary(), "context"));
            ContextSettings.Builder settings =
                    settings(definition.contextPath()).temporary(temporary.path());
            if (definition.resources() != null) {
                if (!Files.isDirectory(definition.resources())) {
                    throw new DeploymentException(definition.resources() + ": no such folder");
                }
                settings.resources(
                        undertaking.owns(Resources.of(definition.resources().toRealPath(), List.of())));
            }
            definition.initParameters().forEach(settings::initParameter);
            settings.encodings(definition.encodings());
            if (definition.sessionMinutes() != null) {
                settings.sessions(SessionSettings.defaults().withTimeout(definition.sessionMinutes()));
            }
            OutsideSettings.apply(surroundings.settings().apply(definition.contextPath()), settings);
            settings.errorPages(definition.errorPages());
            settings.security(definition.security());
            Set<String> declared = definition.servlets().stream()
                    .map(ContextDefinition.EmbeddedServlet::name)
                    .collect(Collectors.toSet());
            ContextSettings built = settings.build();
            ApplicationEnvironment environment = ApplicationEnvironment.open(
                    surroundings.environments(), built.classLoader(), undertaking.source, definition.contextPath());
            undertaking.owns(environment.names());
            WebContext context = context(built, environment.objects(), declared, false);
            declare(definition, context);
            return undertaking.done(context, initializers(definition), Map.of());
        } catch (DeploymentException e) {
            undertaking.abandon();
            throw e.within(undertaking.source);
        } catch (IllegalArgumentException e) {
            undertaking.abandon();
            throw new DeploymentException(undertaking.source + ": " + e.getMessage(), e);
        } catch (IOException e) {
            undertaking.abandon();
            throw new DeploymentException(undertaking.source + ": its files cannot be used: " + e, e);
        }
    }

    private static List<ContextInitializer> initializers(ContextDefinition definition) {
        List<ContextInitializer> ready = new ArrayList<>();
        definition.initializers().forEach(initializer -> ready.add(context -> initializer.onStartup(null, context)));
        return ready;
    }

    private static void declare(ContextDefinition definition, WebContext context) throws DeploymentException {
        definition.listeners().forEach(context.listeners()::declare);
        for (ContextDefinition.EmbeddedServlet servlet : definition.servlets()) {
            ServletHolder holder = context.servlets().declare(servlet.name(), servlet.servlet());
            if (holder == null) {
                throw new DeploymentException("servlet '" + servlet.name() + "' is declared twice");
            }
            servlet.initParameters().forEach(holder::initParameter);
            holder.asyncSupported(true);
            if (servlet.multipart() != null) {
                holder.multipart(servlet.multipart());
            }
            Set<String> taken = context.servlets().map(holder, servlet.patterns());
            if (!taken.isEmpty()) {
                throw new DeploymentException(
                        "URL pattern of servlet '" + servlet.name() + "' is already that of another: " + taken);
            }
        }
        for (ContextDefinition.EmbeddedFilter filter : definition.filters()) {
            FilterHolder holder = context.filters().declare(filter.name(), filter.filter());
            if (holder == null) {
                throw new DeploymentException("filter '" + filter.name() + "' is declared twice");
            }
            filter.initParameters().forEach(holder::initParameter);
            holder.asyncSupported(true);
            context.filters().mapUrlPatterns(holder, filter.types(), Filters.Position.DECLARED, filter.patterns());
        }
    }

    private ContextSettings.Builder settings(String contextPath) throws DeploymentException {
        boolean root = contextPath.equals("/") || contextPath.isEmpty();
        if (!root && (!contextPath.startsWith("/") || contextPath.endsWith("/"))) {
            throw new DeploymentException("context path must be / or /name, not '" + contextPath + "'");
        }
        return ContextSettings.builder(contextPath).encodings(surroundings.encodings());
    }

    /** @param declared names of the servlets that the application declares itself */
    private WebContext context(
            ContextSettings settings, ObjectFactory objects, Set<String> declared, boolean webApplication)
            throws DeploymentException {
        WebContext context = new WebContext(
                settings,
                new ContextServices(
                        surroundings.dispatchers(),
                        surroundings.contexts(),
                        objects,
                        sessions(settings),
                        surroundings.sessions().room(),
                        surroundings.callbacks(),
                        surroundings.clock()));
        context.servlets().runAs(new SubjectRunAs());
        DefaultServlet files = new DefaultServlet(
                settings.resources(),
                settings.welcomeFiles(),
                context.servlets()::isMapped,
                surroundings.smallFiles(),
                settings.encodings().files());
        String name = declared.contains(DEFAULT) ? DefaultServlet.class.getName() : DEFAULT;
        Servlet last = webApplication ? new PageSourceGuard(files) : files;
        context.servlets().declareDefault(name, last).asyncSupported(true);
        if (webApplication) {
            parts.declare(context, declared);
        }
        return context;
    }

    private RestingSessions sessions(ContextSettings settings) throws DeploymentException {
        try {
            return surroundings.sessions().of(settings.contextPath(), settings.classLoader());
        } catch (IOException e) {
            throw new DeploymentException("its sessions cannot be kept: " + e.getMessage(), e);
        }
    }

    /** A deployment in progress: what it has opened so far, so that a failure leaves nothing behind. */
    private final class Undertaking {
        private final String source;
        private final List<AutoCloseable> belongings = new ArrayList<>();

        Undertaking(String source) {
            this.source = source;
        }

        /** The last that was opened is the first to be closed. */
        <T extends AutoCloseable> T owns(T belonging) {
            belongings.add(0, belonging);
            return belonging;
        }

        void abandon() {
            WebApplication.closeAll(source, belongings);
        }

        WebApplication done(WebContext context) {
            return done(context, List.of(), Map.of());
        }

        WebApplication done(WebContext context, List<ContextInitializer> initializers, Map<String, Where> preliminary) {
            return new WebApplication(source, context, surroundings.logins(), initializers, preliminary, belongings);
        }
    }
}
