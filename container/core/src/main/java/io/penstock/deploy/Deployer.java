package io.penstock.deploy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.address.ContextLocation;
import io.penstock.context.ContextInitializer;
import io.penstock.context.ContextServices;
import io.penstock.context.ContextSettings;
import io.penstock.context.FilterHolder;
import io.penstock.context.Filters;
import io.penstock.context.MimeTypes;
import io.penstock.context.ObjectFactory;
import io.penstock.context.Resources;
import io.penstock.context.ServletHolder;
import io.penstock.context.SessionSettings;
import io.penstock.context.WebContext;
import io.penstock.files.DefaultServlet;
import io.penstock.limits.ApplicationKey;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.ApplicationSettings.Given;
import io.penstock.limits.Counter;
import io.penstock.limits.HelpPage;
import io.penstock.limits.Key;
import io.penstock.limits.OperatorFile;
import io.penstock.limits.Switch;
import io.penstock.part.JavaxMigration;
import io.penstock.security.SubjectRunAs;
import io.penstock.session.SessionRepository;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes web applications. The source of an application is a WAR file, an exploded web application, a plain folder of files, or a definition
 * in code.
 *
 * <p>Thread: any. Several deployments can run at the same time.
 */
public final class Deployer {
    /** The name of the default servlet. Descriptors can map the default servlet by this name, as in other containers. */
    private static final String DEFAULT = "default";

    private static final String MIGRATE = "--" + Key.MIGRATE_JAVAX.id();
    private static final String MIGRATION_MISSING = Key.MIGRATE_JAVAX.id()
            + ": this server has no library for it; put penstock-javaee-migration.jar beside penstock.jar, or on the"
            + " class path";

    private static final Logger LOG = LoggerFactory.getLogger(Deployer.class);

    private final DeploymentServices services;
    private final Parts parts;

    /** The libraries of {@code shared-libraries}; null before the first application, and if there are none. */
    @GuardedBy("this")
    private @Nullable SharedLibraries shared;

    public Deployer(DeploymentServices services) {
        this(services, Parts.found());
    }

    Deployer(DeploymentServices services, Parts parts) {
        this.services = services;
        this.parts = parts;
    }

    /**
     * Reads and checks an application, including the classes of its servlets, filters and listeners. The constructors of initialisers run,
     * and the classes of {@code env-entry} values are initialised. No other code of the application runs.
     *
     * @param location the context path, in a form that {@link ContextLocation} reads
     * @param content a WAR file, or a folder
     * @throws DeploymentException if the application cannot be made. The message is one line that names the error and its location
     */
    public WebApplication deploy(String location, Path content) throws DeploymentException {
        return deploy(location, ApplicationContent.of(content));
    }

    /** Like {@link #deploy(String, Path)}, for an application whose files are in several folders. */
    public WebApplication deploy(String location, ApplicationContent given) throws DeploymentException {
        Path content = given.files();
        PartialDeployment partial = new PartialDeployment(given.named().toString());
        partial.owns(given.owned());
        try {
            if (!Files.exists(content)) {
                throw new DeploymentException("no such file or folder");
            }
            OwnedFolder temporary = OwnedFolder.create(services.temporary(), plainName(given.named()));
            partial.owns(() -> JvmExit.delete(temporary));
            ApplicationSettings configured = services.settings().apply(location);
            ApplicationFiles files = files(content, temporary, configured);
            Path work = Files.createDirectory(temporary.path().resolve("work"));
            boolean isPlain = !files.isWebApplication() && configured.overrideDescriptor() == null;
            if (isPlain && Files.isDirectory(content)) {
                return plainFolder(location, files, configured, work, partial);
            }
            MergedDescriptor merged = MergedDescriptor.of(files, configured);
            String formerApi = FormerApi.use(files, merged);
            if (formerApi != null) {
                Path converted = converted(content, configured, formerApi);
                files = unpacked(converted, temporary.path().resolve("converted"), configured);
                merged = MergedDescriptor.of(files, configured);
            }
            ForeignDescriptors.report(
                    partial.source,
                    ContextLocation.canonical(location),
                    files.root(),
                    configured.given(),
                    merged.xml());
            return application(location, files, merged, configured, work, given, partial);
        } catch (DeploymentException e) {
            partial.abandon();
            throw e.within(partial.source);
        } catch (IOException e) {
            partial.abandon();
            throw new DeploymentException(partial.source + ": cannot be read: " + OperatorFile.explained(e), e);
        } catch (RuntimeException | LinkageError e) {
            // The exception is not expected. Only this deployment fails.
            partial.abandon();
            throw DeploymentException.unforeseen(partial.source + ": cannot be deployed: " + e, e);
        } catch (Error e) {
            partial.abandon();
            throw e;
        }
    }

    private ApplicationFiles files(Path content, OwnedFolder temporary, ApplicationSettings configured)
            throws DeploymentException, IOException {
        return Files.isDirectory(content)
                ? withLibraries(ApplicationFiles.of(content.toRealPath()), configured)
                : unpacked(content, temporary.path().resolve("application"), configured);
    }

    private static ApplicationFiles withLibraries(ApplicationFiles files, ApplicationSettings configured)
            throws DeploymentException, IOException {
        Given<Path> added = configured.libraries();
        return added == null ? files : files.with(added);
    }

    /** The libraries that all applications share, or null if there are none. */
    private synchronized @Nullable SharedLibraries shared(ApplicationSettings configured) throws IOException {
        Path folder = configured.sharedLibraries();
        if (shared == null && folder != null) {
            shared = SharedLibraries.of(folder, ApiLoader.ofContainer(parts));
            LOG.info(
                    "{}: {} libraries for all applications",
                    folder,
                    shared.jars().size());
        }
        return shared;
    }

    /** Closes the libraries that the applications share. All applications have stopped. Idempotent. */
    public synchronized void close() {
        if (shared != null) {
            shared.close();
            shared = null;
        }
    }

    /** @param root the folder to create for the unpacked files */
    private ApplicationFiles unpacked(Path archive, Path root, ApplicationSettings configured)
            throws DeploymentException, IOException {
        Files.createDirectory(root);
        try {
            WarFile.unpack(archive, root, configured.unpackedLimit());
        } catch (WarFile.TooLargeException e) {
            services.counters().increment(Counter.ARCHIVES_TOO_LARGE);
            throw e;
        }
        return withLibraries(ApplicationFiles.of(root.toRealPath()), configured);
    }

    /**
     * Returns the archive, converted from {@code javax.servlet} to the API of this server.
     *
     * @param formerApi a text for messages. It names a class that uses {@code javax.servlet}, and the file of the class
     */
    private Path converted(Path content, ApplicationSettings configured, String formerApi) throws DeploymentException {
        if (configured.migrateJavax() == Switch.OFF) {
            throw new DeploymentException(formerApi + ", and this server has jakarta.servlet: start it with " + MIGRATE
                    + ", or convert the archive" + HelpPage.JAVAX.more());
        }
        if (Files.isDirectory(content)) {
            throw new DeploymentException(formerApi + ", and " + MIGRATE + " converts WAR files only, not folders");
        }
        JavaxMigration migration =
                parts.migration().orElseThrow(() -> new DeploymentException(formerApi + ", and " + MIGRATION_MISSING));
        return new ConvertedArchives(configured.migratedFolder(), migration).of(content);
    }

    /** @throws IllegalArgumentException if the library that converts archives is missing */
    public static void requireMigration() {
        if (Parts.found().migration().isEmpty()) {
            throw new IllegalArgumentException(MIGRATION_MISSING);
        }
    }

    /**
     * The descriptor of an application as text, merged from {@code web.xml}, fragments and annotations. A comment beside each element has
     * its source location. No class is loaded, and temporary files are deleted.
     *
     * @param location the context path. The operator's settings for this path are used
     * @param content a WAR file, or a folder
     * @throws DeploymentException if the application cannot be read or merged. The message is one line that names the error and its location
     */
    public String effectiveDescriptor(String location, Path content) throws DeploymentException {
        if (!Files.exists(content)) {
            throw new DeploymentException(content + ": no such file or folder");
        }
        try (OwnedFolder temporary = OwnedFolder.create(services.temporary(), plainName(content))) {
            ApplicationSettings configured = services.settings().apply(location);
            ApplicationFiles files = files(content, temporary, configured);
            return EffectiveDescriptor.of(MergedDescriptor.of(files, configured), files.libraryNames(), configured);
        } catch (DeploymentException e) {
            throw e.within(content.toString());
        } catch (IOException e) {
            throw new DeploymentException(content + ": cannot be read: " + OperatorFile.explained(e), e);
        }
    }

    /** The name of the file or folder, without the characters that are not safe in a file name, and without {@code .war}. */
    private static String plainName(Path content) {
        return String.valueOf(content.getFileName()).replaceAll("[^A-Za-z0-9_.-]|\\.war$", "");
    }

    private WebApplication application(
            String location,
            ApplicationFiles files,
            MergedDescriptor merged,
            ApplicationSettings configured,
            Path work,
            ApplicationContent given,
            PartialDeployment partial)
            throws DeploymentException, IOException {
        SharedLibraries common = shared(configured);
        WebAppClassLoader loader = partial.owns(new WebAppClassLoader(
                given.named(), files, common == null ? ApiLoader.ofContainer(parts) : common.loader()));
        partial.owns(new JdbcDrivers(loader));
        partial.owns(new BeanCaches());
        partial.owns(new RecordMethods());
        partial.owns(new PlatformThreads(loader));
        ApplicationEnvironment environment = ApplicationEnvironment.open(
                services.environments(),
                merged,
                configured.environment(),
                loader,
                partial.source,
                location,
                plainName(given.named()));
        partial.owns(environment.names());
        Resources resources = partial.owns(Resources.of(files.root(), given.beside(), merged.order()));
        ContextSettings.Builder settings = settings(location, configured)
                .classLoader(loader)
                .temporary(work)
                .resources(resources)
                .orderedLibs(merged.orderedLibs())
                .welcomeFiles(parts.welcomeFiles());
        given.initParameters().forEach(settings::initParameter);
        SessionSettings defaults = SessionSettings.defaults().with(configured.allSessions());
        WebXmlSettings.apply(merged.xml(), defaults.fixed(configured.sessions()), settings);
        settings.fixedEncodings(SettingsOverrides.encodings(configured));
        ContextSettings built = settings.build();
        SettingsOverrides.warnOfReadableCookie(
                partial.source, configured, built.sessions().cookie());
        Set<String> declared = merged.xml().servlets().stream()
                .map(WebXml.ServletDeclaration::name)
                .collect(Collectors.toSet());
        WebContext context = context(built, resources, environment.objects(), declared, true);
        WebXmlRegistrations.apply(merged.xml(), context, loader, merged.scope());
        RoleAnnotations.apply(context, loader, merged.scope());
        environment.prepare(merged.xml(), loader);
        List<ContextInitializer> initializers = new ArrayList<>();
        initializers.add(started -> environment.warnOfMissing(partial.source));
        initializers.addAll(Initializers.of(
                parts,
                common == null ? List.of() : common.jars(),
                files,
                loader,
                merged.excluded(files),
                merged.exclusions(),
                () -> merged.index(files)));
        String cost = merged.scans().cost();
        if (cost != null) {
            LOG.info("{}: {}", partial.source, cost);
        }
        Map<String, SourceLocation> preliminary = merged.xml().servlets().stream()
                .filter(servlet -> servlet.className() == null && servlet.jspFile() == null)
                .collect(Collectors.toMap(WebXml.ServletDeclaration::name, WebXml.ServletDeclaration::at));
        return partial.done(context, initializers, preliminary);
    }

    private WebApplication plainFolder(
            String location,
            ApplicationFiles files,
            ApplicationSettings configured,
            Path work,
            PartialDeployment partial)
            throws DeploymentException, IOException {
        Resources resources = partial.owns(Resources.of(files.root(), List.of()));
        ContextSettings settings = settings(location, configured)
                .classLoader(ApiLoader.ofContainer(Parts.NONE))
                .temporary(work)
                .resources(resources)
                .fixedEncodings(SettingsOverrides.encodings(configured))
                .build();
        return partial.done(context(settings, resources, ObjectFactory.REFLECTIVE, Set.of(), false));
    }

    /**
     * Makes a context from existing servlets, filters and listeners. The class loader of the context is the context class loader of the
     * calling thread.
     *
     * @throws DeploymentException if two servlets or filters have the same name or pattern, or if a pattern is invalid
     */
    public WebApplication deploy(ContextDefinition definition) throws DeploymentException {
        PartialDeployment partial = new PartialDeployment("context " + definition.location());
        try {
            OwnedFolder temporary = partial.owns(OwnedFolder.create(services.temporary(), "context"));
            ApplicationSettings configured = services.settings().apply(definition.location());
            Given<Path> override = configured.overrideDescriptor();
            if (override != null) {
                throw new DeploymentException(ApplicationKey.OVERRIDE_WEB_XML.id()
                        + ": a program makes this context, and it has no descriptor (from " + override.origin() + ")");
            }
            Given<Path> libraries = configured.libraries();
            if (libraries != null) {
                throw new DeploymentException(ApplicationKey.LIBRARIES.id()
                        + ": a program makes this context, and has its classes (from " + libraries.origin() + ")");
            }
            ContextSettings.Builder settings =
                    settings(definition.location(), configured).temporary(temporary.path());
            settings.resources(partial.owns(definition.files().open()));
            settings.mimeTypes(MimeTypes.defaults().withExact(definition.files().mimeTypes()));
            settings.displayName(definition.displayName());
            // If a servlet that loads on startup fails, the start of the context fails, and the embedding program gets
            // the exception.
            settings.eagerServlets(ContextSettings.EagerServlets.MUST_LOAD);
            definition.initParameters().forEach(settings::initParameter);
            settings.encodings(definition.encodings());
            SettingsOverrides.apply(configured, definition.sessionMinutes(), settings);
            settings.errorPages(definition.errorPages());
            settings.security(definition.security());
            Set<String> declared = definition.servlets().stream()
                    .map(ContextDefinition.EmbeddedServlet::name)
                    .collect(Collectors.toSet());
            ContextSettings built = settings.build();
            SettingsOverrides.warnOfReadableCookie(
                    partial.source, configured, built.sessions().cookie());
            ApplicationEnvironment environment = ApplicationEnvironment.open(
                    services.environments(),
                    configured.environment(),
                    built.classLoader(),
                    partial.source,
                    built.location());
            partial.owns(environment.names());
            Resources served =
                    definition.files().serving() == EmbeddedFiles.Serving.ON ? built.resources() : Resources.none();
            WebContext context = context(built, served, environment.objects(), declared, false);
            declare(definition, context);
            return partial.done(context, initializers(definition), Map.of());
        } catch (DeploymentException e) {
            partial.abandon();
            throw e.within(partial.source);
        } catch (IllegalArgumentException e) {
            partial.abandon();
            throw new DeploymentException(partial.source + ": " + e.getMessage(), e);
        } catch (IOException e) {
            partial.abandon();
            throw new DeploymentException(
                    partial.source + ": its files cannot be used: " + OperatorFile.explained(e), e);
        } catch (RuntimeException | Error e) {
            partial.abandon();
            throw e;
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
                throw new DeploymentException("URL pattern of servlet '" + servlet.name()
                        + "' is already mapped to another servlet: " + taken);
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

    private ContextSettings.Builder settings(String location, ApplicationSettings configured)
            throws DeploymentException {
        ContextLocation found;
        try {
            found = ContextLocation.parse(location);
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(String.valueOf(e.getMessage()), e);
        }
        return ContextSettings.builder(found.contextPath())
                .host(found.host())
                .encodings(services.encodings())
                .compression(configured.compression())
                .fileRules(configured.fileRules());
    }

    /**
     * @param served the files that clients can request
     * @param declared the names of the servlets that the application itself declares
     */
    private WebContext context(
            ContextSettings settings,
            Resources served,
            ObjectFactory objects,
            Set<String> declared,
            boolean webApplication)
            throws DeploymentException {
        WebContext context = new WebContext(
                settings,
                new ContextServices(
                        services.dispatchers(),
                        services.contexts(),
                        objects,
                        sessions(settings),
                        services.sessions().room(settings.location().name()),
                        services.sessions().route(),
                        services.webSockets(),
                        services.callbacks(),
                        services.clock()));
        context.servlets().runAs(new SubjectRunAs());
        DefaultServlet files = new DefaultServlet(
                served,
                settings.welcomeFiles(),
                context::isMapped,
                services.smallFiles(),
                settings.encodings().files(),
                settings.compression(),
                settings.fileRules(),
                settings.mimeTypes());
        String name = declared.contains(DEFAULT) ? DefaultServlet.class.getName() : DEFAULT;
        Servlet last = webApplication ? new PageSourceGuard(files) : files;
        context.servlets().declareDefault(name, last).asyncSupported(true);
        if (webApplication) {
            parts.declare(context, declared);
        }
        return context;
    }

    private SessionRepository sessions(ContextSettings settings) throws DeploymentException {
        try {
            return services.sessions().of(settings.location().name(), settings.classLoader());
        } catch (IOException e) {
            throw new DeploymentException("its sessions cannot be kept: " + e.getMessage(), e);
        }
    }

    /**
     * A deployment in progress, with the resources that it has opened. If the deployment fails, {@link #abandon} closes these resources.
     */
    private final class PartialDeployment {
        private final String source;
        private final List<AutoCloseable> opened = new ArrayList<>();

        PartialDeployment(String source) {
            this.source = source;
        }

        /** Registers a resource. The resources are closed in the reverse order of their registration. */
        <T extends AutoCloseable> T owns(T resource) {
            opened.add(0, resource);
            return resource;
        }

        void abandon() {
            WebApplication.closeAll(source, opened);
        }

        WebApplication done(WebContext context) {
            return done(context, List.of(), Map.of());
        }

        WebApplication done(
                WebContext context, List<ContextInitializer> initializers, Map<String, SourceLocation> preliminary) {
            return new WebApplication(source, context, services.logins(), initializers, preliminary, opened);
        }
    }
}
