package io.penstock;

import io.penstock.admin.Watched;
import io.penstock.context.WebContext;
import io.penstock.deploy.Applications;
import io.penstock.deploy.Crew;
import io.penstock.deploy.Deployer;
import io.penstock.deploy.DeploymentException;
import io.penstock.deploy.Surroundings;
import io.penstock.deploy.WebappsFolder;
import io.penstock.dispatch.ContextTable;
import io.penstock.dispatch.Dispatchers;
import io.penstock.dispatch.ServletAdmission;
import io.penstock.dispatch.ServletHandler;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.events.ConnectionEvents;
import io.penstock.files.SmallFiles;
import io.penstock.http1.Http1Transport;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.CrossContext;
import io.penstock.limits.Gauge;
import io.penstock.limits.Gauges;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.mapping.UrlPattern;
import io.penstock.metrics.RequestMetrics;
import io.penstock.request.Bounds;
import io.penstock.security.FileUsers;
import io.penstock.security.Logins;
import io.penstock.security.Users;
import io.penstock.spool.SpoolUnavailableException;
import io.penstock.time.Clock;
import io.penstock.work.Job;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a server together, from the sockets below to the applications above, and takes it apart again.
 *
 * <p>Thread: one that starts, any that stops. Owns: the transport with all its threads, the applications.
 */
final class Assembly {
    private static final Logger LOG = LoggerFactory.getLogger(Penstock.class);
    private static final Duration EXPIRY = Duration.ofSeconds(10);

    private final Role role;
    private final Configuration configuration;
    private final ServerConfig config;
    private final Counters counters = new Counters();
    private final ContextTable contexts = new ContextTable();
    private final Observers observers;
    private final Http1Transport transport;
    private final InetSocketAddress address;
    private final SessionPlaces sessions;
    private final Applications applications;
    private final @Nullable WebappsFolder webapps;
    private final List<Future<?>> periodic = new ArrayList<>();
    private @Nullable Management management;
    private volatile State state = State.NEW; // written under the monitor

    /**
     * <pre>
     *   NEW --start--> RUNNING --stop--> STOPPING --> STOPPED
     *     \--a start that fails----------------------> STOPPED
     * </pre>
     */
    private enum State {
        NEW,
        RUNNING,
        STOPPING,
        STOPPED
    }

    /** Which of the servers of one program it is. */
    enum Role {
        SERVER(""),
        /** What operators ask. */
        ADMIN("admin-");

        private final String threads;

        Role(String threads) {
            this.threads = threads;
        }
    }

    /**
     * Binds the port; nothing runs yet.
     *
     * @param temporary where applications keep temporary files, or null for the system's temporary directory
     * @param realm of the embedding program, or null for the configured one
     * @param listeners what the embedding program wants to be told
     * @param stores of sessions that the embedding program brings, by context path; null for none
     * @param environments makes the naming environments of applications
     */
    Assembly(
            Role role,
            Configuration configuration,
            @Nullable Path temporary,
            @Nullable Realm realm,
            List<ConnectionEvents> listeners,
            @Nullable Function<String, SessionStore> stores,
            EnvironmentProvider environments)
            throws StartException {
        this.role = role;
        this.configuration = configuration;
        config = configuration.serverConfig();
        if (environments == EnvironmentProvider.ENTRIES_ONLY
                && !configuration.text(Key.DATA_SOURCES).equals("none")) {
            throw new IllegalArgumentException(Key.DATA_SOURCES.id() + ": this server has no part for naming");
        }
        Users users = users(realm);
        observers = new Observers(config, counters, listeners);
        ServletAdmission admission =
                new ServletAdmission(contexts, config.wire().bodyBytes(), streamingPaths());
        try {
            transport = new Http1Transport(
                    config,
                    admission,
                    new ServletHandler(
                            contexts,
                            config.pipes().segment(),
                            new Bounds(config.requests(), counters),
                            config.service().async()),
                    observers.all(),
                    counters,
                    role.threads);
            address = transport.address();
        } catch (SpoolUnavailableException e) {
            throw new StartException(Key.SPOOL_DIR.id() + ": " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            throw new StartException(cannotListen(e), e);
        }
        sessions = new SessionPlaces(config.sessions(), counters, stores);
        Deployer deployer = new Deployer(new Surroundings(
                new Dispatchers(),
                this::neighbour,
                this::runOnWorker,
                InstantSource.system(),
                sessions,
                environments,
                new SmallFiles(config.files().cache()),
                new Logins(users, config.logins(), counters, Clock.SYSTEM),
                temporary));
        Crew crew = new Crew(transport.queue(), transport.workers(), transport.keeper());
        applications =
                new Applications(deployer, contexts, crew, config.webapps().undeploy(), counters);
        Path folder = config.webapps().folder();
        webapps = folder == null ? null : new WebappsFolder(folder, applications, crew);
    }

    private @Nullable ServletContext neighbour(ServletContext asker, String path) {
        WebContext found = contexts.find(path);
        return found == asker || config.crossContext() == CrossContext.ALLOW ? found : null;
    }

    private Users users(@Nullable Realm realm) throws StartException {
        if (realm == null && !config.logins().realmDataSource().equals("none")) {
            throw new IllegalArgumentException(
                    Key.REALM_DATA_SOURCE.id() + ": a program gives a JdbcRealm to its builder instead");
        }
        String file = config.logins().realmFile();
        if (file.equals("none")) {
            return realm == null ? Users.NONE : new RealmUsers(realm);
        }
        if (realm != null) {
            throw new IllegalArgumentException(Key.REALM_FILE.id() + " is set, and the program has a realm of its own");
        }
        try {
            return FileUsers.of(Path.of(file));
        } catch (IOException | InvalidPathException e) {
            throw new StartException(Key.REALM_FILE.id() + ": " + e.getMessage(), e);
        }
    }

    private List<UrlPattern> streamingPaths() {
        String paths = config.threads().streamingPaths();
        if (paths.equals("none")) {
            return List.of();
        }
        try {
            return Pattern.compile(",")
                    .splitAsStream(paths)
                    .map(String::strip)
                    .map(UrlPattern::parse)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(Key.STREAMING_PATHS.id() + ": " + e.getMessage(), e);
        }
    }

    private String cannotListen(Exception e) {
        String where = config.listen().host() + ":" + config.listen().port();
        boolean unknown = e instanceof UnknownHostException || e instanceof UnresolvedAddressException;
        return "cannot listen on " + where + ": " + (unknown ? "unknown host" : e.getMessage());
    }

    Map<String, Long> counted() {
        Map<String, Long> counted = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            counted.put(counter.id(), counters.value(counter));
        }
        return counted;
    }

    Map<String, Long> levels() {
        Gauges gauges = transport.gauges();
        Map<String, Long> levels = new LinkedHashMap<>();
        for (Gauge gauge : Gauge.values()) {
            levels.put(gauge.id(), gauges.value(gauge));
        }
        return levels;
    }

    String dump() {
        return transport.dump() + LimitTable.of(configuration, counters);
    }

    Configuration configuration() {
        return configuration;
    }

    Counters counters() {
        return counters;
    }

    @Nullable
    RequestMetrics metrics() {
        return observers.metrics();
    }

    List<WebContext> contexts() {
        return contexts.all();
    }

    /** Deploys and starts the applications in order, then lets clients in. */
    synchronized void start(List<Applications.Making> wanted, WhenOneFails policy) throws StartException {
        try {
            periodic.addAll(observers.start(transport.keeper()));
            transport.startWorkers();
            List<DeploymentException> failures = deploy(wanted, policy);
            if (webapps != null) {
                webapps.open();
            }
            if (contexts.all().isEmpty() && !failures.isEmpty()) {
                throw failures.get(0); // nobody is left to serve
            }
            failures.forEach(failure -> LOG.error("Not served: {}", failure.getMessage()));
        } catch (DeploymentException e) {
            stop();
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (StartException | RuntimeException | Error e) {
            stop();
            throw e;
        }
        transport.start();
        periodic.add(transport.keeper().every(EXPIRY, this::expireSessions));
        Duration interval = config.webapps().interval();
        if (webapps != null && !interval.isZero()) {
            periodic.add(transport.keeper().every(interval, webapps::look));
        }
        if (role == Role.SERVER) {
            management = Management.register(new ServerBean(this), address.getPort());
        }
        state = State.RUNNING;
    }

    /** Goes on in the file that has the access log's name now. Any thread; does not wait. */
    void reopenLogs() {
        observers.reopenLogs();
    }

    /** The applications, which may come and go while the server runs. */
    Applications applications() {
        return applications;
    }

    /** Returns why some are not served, where the policy lets the others serve. */
    private List<DeploymentException> deploy(List<Applications.Making> wanted, WhenOneFails policy)
            throws DeploymentException {
        List<DeploymentException> failures = new ArrayList<>();
        for (Applications.Making application : wanted) {
            try {
                applications.deploy(application, null);
            } catch (DeploymentException e) {
                if (policy == WhenOneFails.NOBODY_SERVES) {
                    throw e;
                }
                failures.add(e);
            }
        }
        return failures;
    }

    /** Thread: keeper. What calls application code goes to a worker. */
    private void expireSessions() {
        contexts.all().forEach(context -> context.sessions().expire());
    }

    /** Still serves, for those who have not heard yet that this server ends. Returns false if the thread was interrupted. */
    private boolean awaitDelay() {
        Duration delay = config.timeouts().shutdownDelay();
        if (delay.isZero()) {
            return true;
        }
        LOG.info("No longer ready; connections are accepted for {} ms more", delay.toMillis());
        try {
            Thread.sleep(delay.toMillis());
            return true;
        } catch (InterruptedException e) {
            return false; // the caller goes on without patience, and sets the flag again
        }
    }

    private void runOnWorker(Runnable task) {
        transport.queue().resume(new Job() {
            @Override
            public void run() {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    LOG.error("A session listener failed", e);
                }
            }

            @Override
            public void abandon() {
                LOG.debug("Not run, since the server has ended: {}", task);
            }
        });
    }

    InetSocketAddress address() {
        return address;
    }

    Http1Transport transport() {
        return transport;
    }

    List<String> contextPaths() {
        return contexts.all().stream().map(Assembly::name).toList();
    }

    static String name(WebContext context) {
        return context.getContextPath().isEmpty() ? "/" : context.getContextPath();
    }

    /** Whether clients are welcome: from the end of the start until the beginning of the end. Any thread; does not wait. */
    boolean isReady() {
        return state == State.RUNNING;
    }

    /** The same, and if not so, why. */
    Watched.Health health() {
        return switch (state) {
            case NEW -> Watched.Health.STARTING;
            case RUNNING -> Watched.Health.READY;
            case STOPPING, STOPPED -> Watched.Health.ENDING;
        };
    }

    /** Ends clients' requests, then the applications, the last started first. Idempotent. */
    synchronized void stop() {
        if (state == State.STOPPED) {
            return;
        }
        boolean interrupted = false;
        Duration patience = Duration.ZERO;
        if (state == State.RUNNING) {
            transport.leave();
            state = State.STOPPING;
            interrupted = !awaitDelay();
            patience = interrupted ? Duration.ZERO : config.timeouts().shutdown();
        }
        periodic.forEach(task -> task.cancel(false));
        if (management != null) {
            management.close();
        }
        try {
            transport.stop(patience);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (IOException e) {
            LOG.warn("The port was not closed cleanly: {}", e.toString());
        }
        state = State.STOPPED;
        observers.close();
        applications.stop();
        try {
            sessions.close();
        } catch (IOException e) {
            LOG.warn("The lock of the sessions' directory was not given back cleanly: {}", e.toString());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
