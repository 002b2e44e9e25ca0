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
import io.penstock.limits.ListenPlace;
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
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server from its start until a signal ends it. The signal starts shutdown hooks, which stop the server; the process ends after that.
 *
 * <p>Thread: the thread that calls {@link #run}.
 *
 * @param again reads the configuration anew, for a reload
 */
record Serving(
        Configuration configuration,
        List<Application> applications,
        Purpose purpose,
        PrintWriter out,
        Supplier<Configuration> again) {

    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);

    /** The mode of the applications: fixed, or under development. */
    enum Purpose {
        USE,
        DEVELOPMENT
    }

    /** The code that a thread runs while the server serves. When it returns, the process may end. */
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
        // A reload signal that comes during the start waits until the start is done. Without a handler, the signal
        // would end the process.
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
        try {
            meanwhile.of(server);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // an interrupt stops the server
        }
    }

    /** Closes the naming when the server has ended. A signal starts this method and the server's own stop at the same time. */
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

    /** Tries the first steps of {@link #run} without listening; returns one line for each problem. */
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
                builder.develop(application.place(), application.content(), sources -> {});
            } else {
                builder.war(application.place(), application.content());
            }
        }
        return builder;
    }

    /** Configures a server with all settings and their sources. */
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
     * Makes {@code new InitialContext()} find the names of applications, since this JVM has no other JNDI user. This happens for the first
     * application with names, so that a server of files starts without JNDI.
     */
    private static EnvironmentProvider inThisJvm(Naming naming) {
        return declarations -> {
            if (!Naming.installForThisJvm()) {
                LOG.warn(
                        "JNDI in this JVM already has a factory: applications can get their resources by injection only, not by lookup");
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
                + (purpose == Purpose.DEVELOPMENT ? ", in development," : "") + " at " + places(server)
                + server.redirectAddress()
                        .map(address -> ", to which port " + address.getPort() + " redirects")
                        .orElse("")
                + ", started in "
                + millisSinceStart() + " ms" + operatorsAsk(server);
    }

    /** The server's addresses: URLs, and the files of Unix domain sockets. */
    private String places(Penstock server) {
        List<ListenAddress> listeners = ServerConfig.of(configuration).listen().addresses();
        List<String> places = new ArrayList<>();
        for (int i = 0; i < listeners.size(); i++) {
            places.add(place(listeners.get(i), server.addresses().get(i)));
        }
        return String.join(", ", places);
    }

    private static String place(ListenAddress listener, SocketAddress bound) {
        if (!(bound instanceof InetSocketAddress address)) {
            return listener.place() instanceof ListenPlace.Inherited ? "the inherited unix:" + bound : "unix:" + bound;
        }
        return listener.url(address)
                + (listener.isEverywhere(address) ? " and every other address of this machine" : "");
    }

    private String operatorsAsk(Penstock server) {
        String scheme = ServerConfig.of(configuration).admin().tls() == Switch.ON ? "https" : "http";
        return server.adminAddress()
                .map(address -> new ListenPlace.Network(address.getAddress().getHostAddress(), address.getPort()))
                .map(place -> "; operators ask at " + scheme + "://" + place + "/")
                .orElse("");
    }

    /** The time from the command to the ready server. It does not use the process's start time, which some systems round to a second. */
    private static long millisSinceStart() {
        return ManagementFactory.getRuntimeMXBean().getUptime();
    }
}
