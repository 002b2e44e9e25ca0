package io.penstock.server;

import io.penstock.accesslog.AccessLog;
import io.penstock.context.ContextLookup;
import io.penstock.context.DispatcherFactory;
import io.penstock.context.OpenWebSockets;
import io.penstock.deploy.ApplicationEnvironment;
import io.penstock.deploy.Applications;
import io.penstock.deploy.Deployer;
import io.penstock.deploy.DeploymentException;
import io.penstock.deploy.DeploymentServices;
import io.penstock.deploy.ServerSessionStores;
import io.penstock.deploy.WebApplication;
import io.penstock.deploy.WebappsFolder;
import io.penstock.environment.Declarations;
import io.penstock.environment.Environment;
import io.penstock.environment.EnvironmentException;
import io.penstock.environment.Reference;
import io.penstock.files.SmallFiles;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.limits.OperatorFile;
import io.penstock.limits.ServerConfig;
import io.penstock.realm.Realm;
import io.penstock.security.Logins;
import io.penstock.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a start of the server. The check opens no port, takes no lock, and starts no thread of the server. It creates the initialisers of
 * applications, but starts no application.
 *
 * <p>Thread: one thread at a time.
 */
public final class DryRun {
    private static final Logger LOG = LoggerFactory.getLogger(DryRun.class);

    private final Configuration configuration;
    private final ServerConfig config;
    private final Embedding given;
    private final List<String> problems = new ArrayList<>();

    /** The names of the application that is being checked. */
    private final List<Environment> opened = new ArrayList<>();

    /** @param configuration a configuration in which each single value is valid */
    public DryRun(Configuration configuration, Embedding given) {
        this.configuration = configuration;
        this.config = ServerConfig.of(configuration);
        this.given = given;
    }

    /**
     * Returns one line for each problem of the configuration, of the given applications, and of the applications in the folder {@code
     * webapps}.
     */
    public List<String> problems(List<Applications.Deployable> applications) {
        attempt(() -> Assembly.requireNaming(configuration, given));
        attempt(() -> Assembly.requireMigration(configuration));
        attempt(() -> Assembly.requireIdentity(config, given));
        attempt(() -> Assembly.sessionStores(configuration, new Counters(), given));
        attempt(() -> Assembly.streamingPaths(config));
        if (config.acme().isOn()) {
            attempt(CertificateOrders::issuer);
            makeable(Key.ACME_DIR, config.acme().folder());
        }
        if (configuration.migratesJavax()) {
            makeable(Key.MIGRATED_DIR, config.deploying().migratedFolder());
        }
        if (config.accessLog().where() != AccessLogging.Where.NOWHERE
                || !config.accessLogsOfPaths().isEmpty()) {
            attempt(() -> AccessLog.check(config.accessLog()));
        }
        certificates();
        responseRules();
        config.listen().addresses().forEach(listener -> checkAddress(listener.bindAddress()));
        if (config.admin().isOn()) {
            host(Key.ADMIN_HOST, config.admin().host());
        }
        folder(Key.SPOOL_DIR, "temporary");
        folder(Key.SESSION_DIR, "none");
        accessLog(Key.ACCESS_LOG.id(), config.accessLog());
        config.accessLogsOfPaths().forEach((path, log) -> accessLog(AccessLogs.key(path), log));
        deploy(applications);
        return problems;
    }

    private void certificates() {
        try {
            Assembly.certificates(config);
        } catch (ServerStartException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private void responseRules() {
        try {
            ConfiguredRules.of(configuration);
        } catch (ServerStartException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        try {
            ConfiguredRules.errors(configuration);
        } catch (ServerStartException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private void attempt(Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private void checkAddress(BindAddress address) {
        if (address instanceof BindAddress.Network network) {
            host(configuration.text(Key.LISTEN).equals("none") ? Key.HOST : Key.LISTEN, network.host());
        } else if (address instanceof BindAddress.UnixSocket unix) {
            Path file = unix.file().toAbsolutePath().normalize();
            usable(Key.LISTEN.id(), Objects.requireNonNullElse(file.getParent(), file));
        }
    }

    private void host(Key key, String name) {
        try {
            InetAddress.getByName(name);
        } catch (UnknownHostException e) {
            problems.add(key.id() + ": unknown host " + name);
        }
    }

    /** @param none the value of the key that means "no folder" */
    private void folder(Key key, String none) {
        String name = configuration.text(key);
        if (name.equals(none)) {
            return;
        }
        Path folder = Path.of(name);
        usable(key.id(), folder);
    }

    /**
     * Checks the file of an access log. If the file does not exist, its folder must be writable. An existing file can be written even in a
     * read-only folder.
     */
    private void accessLog(String key, AccessLogging log) {
        Path file = log.file();
        Path folder = file == null ? null : file.toAbsolutePath().getParent();
        if (file == null || folder == null) {
            return;
        }
        if (!Files.exists(file)) {
            usable(key, folder);
        } else if (Files.isDirectory(file) || !Files.isWritable(file)) {
            problems.add(key + ": cannot be written: " + file);
        }
    }

    /** If the folder does not exist, the server makes it, in the last folder that exists. Only the server's user may write to it. */
    private void makeable(Key key, Path folder) {
        Path existing = folder.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        usable(key.id(), existing);
        try {
            if (Files.isDirectory(folder) && OperatorFile.othersCanWrite(folder)) {
                problems.add(key.id() + ": others can write to " + folder);
            }
        } catch (IOException e) {
            problems.add(key.id() + ": " + OperatorFile.explained(e));
        }
    }

    private void usable(String key, Path folder) {
        if (!Files.isDirectory(folder)) {
            problems.add(key + (Files.exists(folder) ? ": not a folder: " : ": no such folder: ") + folder);
        } else if (!Files.isWritable(folder)) {
            problems.add(key + ": cannot be written to: " + folder);
        }
    }

    private void deploy(List<Applications.Deployable> applications) {
        Deployer deployer = new Deployer(services(realm()));
        List<Applications.Deployable> all = new ArrayList<>(applications);
        Path folder = config.webapps().folder();
        if (folder != null) {
            try {
                all.addAll(WebappsFolder.applications(folder));
            } catch (DeploymentException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        Map<String, String> sources = new HashMap<>();
        for (Applications.Deployable wanted : all) {
            String other = sources.putIfAbsent(wanted.location(), wanted.source());
            if (other != null) {
                problems.add("two applications have the context path " + wanted.location() + ": " + other + " and "
                        + wanted.source());
            }
            deploy(wanted, deployer);
        }
        deployer.close();
    }

    private void deploy(Applications.Deployable wanted, Deployer deployer) {
        opened.clear();
        try {
            WebApplication made = wanted.factory().make(deployer);
            try {
                opened.forEach(names -> names.missing().forEach(reference -> missing(wanted.source(), reference)));
                made.requireLogin();
            } finally {
                made.stop();
            }
        } catch (DeploymentException | IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    /**
     * A data source that is not bound is a problem, since each request that needs it fails. Descriptors that were written for other servers
     * also name other resources, which their applications often do not need.
     */
    private void missing(String application, Reference reference) {
        String problem = application + ": " + ApplicationEnvironment.problem(reference);
        if (ApplicationEnvironment.isDataSource(reference)) {
            problems.add(problem);
        } else {
            LOG.warn("{}", problem);
        }
    }

    /** Opens the names of an application, and keeps them for the check. */
    private Environment names(Declarations declarations) throws EnvironmentException {
        Environment names = given.environments().open(declarations);
        opened.add(names);
        return names;
    }

    private Realm realm() {
        try {
            return ConfiguredRealm.of(config.logins(), given.realm());
        } catch (ServerStartException | IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage()));
            return Realm.NONE;
        }
    }

    private DeploymentServices services(Realm realm) {
        Counters counters = new Counters();
        return new DeploymentServices(
                DispatcherFactory.NONE,
                ContextLookup.NONE,
                Runnable::run,
                InstantSource.system(),
                ServerSessionStores.inMemory(),
                this::names,
                new SmallFiles(0),
                Assembly.encodings(config.encodings()),
                new Logins(realm, config.logins(), counters, Clock.SYSTEM),
                configuration::application,
                counters,
                OpenWebSockets.unlimited(),
                given.temporary());
    }
}
