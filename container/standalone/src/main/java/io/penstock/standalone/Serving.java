package io.penstock.standalone;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.deploy.JarCaches;
import io.penstock.environment.EnvironmentException;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.limits.ApplicationSetting;
import io.penstock.limits.Configuration;
import io.penstock.limits.Key;
import io.penstock.limits.ListenAddress;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.limits.Origin;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.Setting;
import io.penstock.limits.Switch;
import io.penstock.naming.Naming;
import io.penstock.realm.JdbcRealm;
import io.penstock.realm.Realm;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a server from its start until a signal ends it. The signal starts shutdown hooks. The hooks stop the server, and then the process
 * ends.
 *
 * <p>Thread: the thread that calls {@link #run}.
 *
 * @param sources the folders of Java sources of the only application, in development
 * @param again reads the configuration again, for a reload
 */
record Serving(
        Configuration configuration,
        List<Application> applications,
        Purpose purpose,
        List<Path> sources,
        PrintWriter out,
        Supplier<Configuration> again) {

    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);

    /** The purpose of the server: normal use, or development of the applications. */
    enum Purpose {
        USE,
        DEVELOPMENT
    }

    /** The code that runs while the server runs. After its return, the process can end. */
    @FunctionalInterface
    interface Meanwhile {
        void of(Penstock server) throws InterruptedException;
    }

    /** @throws OperatorException if the server cannot start */
    void run(Meanwhile meanwhile) {
        if (applications.stream().anyMatch(Serving::isWebApplication)) {
            ClassesAhead.APPLICATION.load();
        }
        JarCaches.switchOff();
        // A reload signal can arrive during the start. The handler then waits for the end of the start. Without a
        // handler, the signal would end the process.
        CompletableFuture<Runnable> onSignal = new CompletableFuture<>();
        UserSignal.install(() -> onSignal.join().run());
        Naming naming = naming();
        Penstock server = start(naming);
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAfter(server, naming), "penstock-naming"));
        } catch (IllegalStateException e) {
            LOG.debug("The process ends already, and with it all connections to databases", e);
        }
        Reloading reloading = new Reloading(again, server);
        reloading.register();
        onSignal.complete(() -> {
            server.reopenLogs();
            reloading.reload();
        });
        out.println(startLine(server));
        // The lines of the log need it. The JDK reads it from a file, for which no descriptor may be free later.
        TimeZone.getDefault();
        try {
            meanwhile.of(server);
        } catch (InterruptedException e) {
            // An interrupt ends the wait for the server.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for the end of the server, then closes {@code naming}. A signal starts this method and the stop of the server at the same time.
     */
    private static void closeAfter(Penstock server, Naming naming) {
        try {
            server.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        naming.close();
    }

    private static boolean isWebApplication(Application application) {
        return !Files.isDirectory(application.content())
                || Files.isDirectory(application.content().resolve("WEB-INF"));
    }

    /** Runs the first steps of {@link #run} without opening a port. Returns one line for each problem. */
    List<String> check() {
        JarCaches.switchOff();
        Naming naming = naming();
        try {
            List<String> problems = builder(naming, Purpose.USE).check();
            if (problems.isEmpty()) {
                out.println("Checked: no problem found in the configuration and the applications");
            }
            return problems;
        } finally {
            naming.close();
        }
    }

    private Penstock start(Naming naming) {
        try {
            return builder(naming, purpose)
                    .onOutOfMemory(new OutOfMemory())
                    .stopOnExit(true)
                    .start();
        } catch (StartException e) {
            throw new OperatorException(ExitCode.START_FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private Penstock.Builder builder(Naming naming, Purpose wanted) {
        Penstock.Builder builder =
                configured(configuration).environments(inThisJvm(naming)).leaveOutWhatFails();
        Realm users = usersOfDatabase(naming);
        if (users != null) {
            builder.realm(users);
        }
        for (Application application : applications) {
            if (wanted == Purpose.DEVELOPMENT) {
                builder.develop(application.location(), application.content(), all -> sources.forEach(all::java));
            } else {
                builder.war(application.location(), application.content());
            }
        }
        return builder;
    }

    /** Returns a builder with all settings and their sources. */
    static Penstock.Builder configured(Configuration configuration) {
        Penstock.Builder builder = Penstock.builder();
        for (Setting setting : configuration.settings()) {
            if (!(setting.origin() instanceof Origin.ByDefault)) {
                builder.set(setting.key().id(), setting.text(), setting.origin().toString());
            }
        }
        for (ApplicationSetting setting : configuration.applicationSettings()) {
            builder.set(setting.id(), setting.text(), setting.origin().toString());
        }
        return builder;
    }

    /**
     * Makes {@code new InitialContext()} find the names of applications. This is possible because the process has no other user of JNDI.
     * The installation happens at the first application with names. So a server without names starts without JNDI.
     */
    private static EnvironmentProvider inThisJvm(Naming naming) {
        return declarations -> {
            if (!Naming.installForThisJvm()) {
                LOG.warn("JNDI in this JVM already has a factory: applications can get their resources by injection"
                        + " only, not by lookup");
            }
            return naming.open(declarations);
        };
    }

    private Naming naming() {
        String file = configuration.text(Key.DATA_SOURCES);
        try {
            return file.equals("none") ? Naming.create() : Naming.withDataSources(Path.of(file));
        } catch (EnvironmentException | InvalidPathException e) {
            throw new OperatorException(ExitCode.USAGE, Key.DATA_SOURCES.id() + ": " + e.getMessage(), e);
        }
    }

    private @Nullable Realm usersOfDatabase(Naming naming) {
        String source = configuration.text(Key.REALM_DATA_SOURCE);
        if (source.equals("none")) {
            return null;
        }
        if (!configuration.text(Key.REALM_FILE).equals("none")) {
            throw OperatorException.usage(
                    Key.REALM_DATA_SOURCE.id() + " and " + Key.REALM_FILE.id() + " are both set: only one is allowed");
        }
        try {
            return new JdbcRealm(
                    naming.dataSource(source),
                    configuration.text(Key.REALM_PASSWORD_QUERY),
                    configuration.text(Key.REALM_ROLES_QUERY));
        } catch (EnvironmentException e) {
            throw new OperatorException(ExitCode.USAGE, Key.REALM_DATA_SOURCE.id() + ": " + e.getMessage(), e);
        }
    }

    private String startLine(Penstock server) {
        String contexts = server.contexts().isEmpty() ? "nothing yet" : String.join(", ", server.contexts());
        String node = ServerConfig.of(configuration).node().name();
        return "Penstock " + Version.number() + (node.isEmpty() ? "" : ", node " + node + ",") + " serves " + contexts
                + (purpose == Purpose.DEVELOPMENT ? ", in development," : "") + " at " + addresses(server)
                + server.redirectAddress()
                        .map(address -> ", to which port " + address.getPort() + " redirects")
                        .orElse("")
                + ", started in "
                + millisSinceStart() + " ms" + flowBoard(server);
    }

    /** The server's addresses as URLs or as files of Unix domain sockets. */
    private String addresses(Penstock server) {
        List<ListenAddress> listeners = ServerConfig.of(configuration).listen().addresses();
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < listeners.size(); i++) {
            addresses.add(address(listeners.get(i), server.addresses().get(i)));
        }
        return String.join(", ", addresses);
    }

    private static String address(ListenAddress listener, SocketAddress bound) {
        if (!(bound instanceof InetSocketAddress address)) {
            return listener.bindAddress() instanceof BindAddress.Inherited
                    ? "the inherited unix:" + bound
                    : "unix:" + bound;
        }
        return listener.url(address)
                + (listener.isEverywhere(address) ? " and every other address of this machine" : "");
    }

    private String flowBoard(Penstock server) {
        String scheme = ServerConfig.of(configuration).admin().tls() == Switch.ON ? "https" : "http";
        return server.adminAddress()
                .map(address -> new BindAddress.Network(address.getAddress().getHostAddress(), address.getPort()))
                .map(address -> "; flow board at " + scheme + "://" + address + "/")
                .orElse("");
    }

    /**
     * The time from the start of the JVM until now. The start time of the process is not used, because some systems round it to a second.
     */
    private static long millisSinceStart() {
        return ManagementFactory.getRuntimeMXBean().getUptime();
    }
}
