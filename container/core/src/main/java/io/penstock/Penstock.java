package io.penstock;

import io.penstock.challenges.HttpChallenges;
import io.penstock.context.WebContext;
import io.penstock.deploy.Applications;
import io.penstock.deploy.DeploymentException;
import io.penstock.develop.SourceTree;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationException;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.ContextPlace;
import io.penstock.limits.Counter;
import io.penstock.limits.Gauge;
import io.penstock.limits.Gauges;
import io.penstock.limits.Origin;
import io.penstock.memory.MemoryWatch;
import io.penstock.part.TlsIdentity;
import io.penstock.realm.Realm;
import io.penstock.server.AdminSite;
import io.penstock.server.Assembly;
import io.penstock.server.DeploymentFailurePolicy;
import io.penstock.server.DryRun;
import io.penstock.server.Embedding;
import io.penstock.server.ExitHook;
import io.penstock.server.RefusedReloadException;
import io.penstock.server.Server;
import io.penstock.server.ServerStartException;
import io.penstock.server.Transport;
import io.penstock.server.WatchedServer;
import io.penstock.store.SessionStores;
import io.penstock.telemetry.FigureVisitor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server. Until it is closed, it has threads of its own, which are not daemon threads.
 *
 * <pre>{@code
 * try (Penstock server = Penstock.builder().port(8080).workers(4).stopOnExit(true)
 *         .context("/", context -> context.servlet("hello", new HelloServlet(), "/hello"))
 *         .start()) {
 *     server.await();
 * }
 * }</pre>
 *
 * <p>Thread: any.
 */
public final class Penstock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Penstock.class);

    private final Server server;
    private final @Nullable AdminSite admin;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable ExitHook exitHook;

    private Penstock(Server server, @Nullable AdminSite admin) {
        this.server = server;
        this.admin = admin;
    }

    /** @throws ServerStartException if the JVM is ending */
    private void stopOnExit() throws ServerStartException {
        try {
            exitHook = ExitHook.install(this::close);
        } catch (IllegalStateException e) {
            throw new ServerStartException("the JVM is ending", e);
        }
    }

    private void removeExitHook() {
        ExitHook hook = exitHook;
        if (hook != null) {
            hook.remove();
        }
    }

    /** A builder with the defaults of the configuration reference and without applications. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The TCP port on which the server listens: the configured port, or, for 0, the free port that was chosen. With several listeners it is
     * the port of the first.
     *
     * @throws IllegalStateException if the server listens at Unix domain sockets only
     */
    public int port() {
        return server.address().getPort();
    }

    /**
     * The address on which the server listens. With several listeners it is the first network address.
     *
     * @throws IllegalStateException if the server listens at Unix domain sockets only
     */
    public InetSocketAddress address() {
        return server.address();
    }

    /**
     * The addresses of all listeners, in their order, with the ports that were chosen. The listener of {@code redirect-port} is the last.
     * Addresses of Unix domain sockets are {@link java.net.UnixDomainSocketAddress}es.
     */
    public List<SocketAddress> addresses() {
        return server.addresses();
    }

    /** The addresses among {@link #addresses} at which clients speak TLS. */
    public Set<SocketAddress> secureAddresses() {
        return server.secureAddresses();
    }

    /** The address of the listener in plain text that redirects to HTTPS ({@code redirect-port}), if there is one. */
    public Optional<InetSocketAddress> redirectAddress() {
        return server.redirectAddress();
    }

    /** The address of the admin port, if there is one. */
    public Optional<InetSocketAddress> adminAddress() {
        return Optional.ofNullable(admin).map(AdminSite::address);
    }

    /** The context paths in service, {@code /} for the root; with a host {@code //www.example.org/name}. */
    public List<String> contexts() {
        return server.contexts().stream().map(WebContext::name).toList();
    }

    /**
     * Deploys a web application from the disk. An application with the same context path is replaced. When this method returns, new
     * requests go to the new application. Requests that run in the former application end there; the method does not wait for them. A
     * worker starts the listeners, filters and servlets.
     *
     * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
     * @param content a WAR file, an exploded web application, or a folder of files
     * @throws DeployException with one line that names the error; the former application stays in service
     */
    public void deploy(String contextPath, Path content) throws DeployException {
        deploy(Applications.Deployable.of(contextPath, content));
    }

    /** As {@link #deploy(String, Path)}, for a web application made in code. */
    public void deploy(String contextPath, Consumer<Context> definition) throws DeployException {
        Context context = new Context(contextPath);
        definition.accept(context);
        deploy(context.wanted());
    }

    private void deploy(Applications.Deployable wanted) throws DeployException {
        try {
            server.applications().deploy(wanted);
        } catch (DeploymentException | IllegalArgumentException e) {
            throw new DeployException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Takes a web application out of service, so new requests do not find it. Waits until its running requests have ended, for at
     * most {@code undeploy-timeout}, and then until the application has stopped. A call from a servlet does not wait, since the
     * wait would include the servlet's own request.
     *
     * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
     * @return whether there was such an application
     */
    public boolean undeploy(String contextPath) {
        return server.applications().undeploy(contextPath);
    }

    /** The values of all counters since the start, by their names in the configuration reference. */
    public Map<String, Long> counters() {
        Map<String, Long> counted = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            counted.put(counter.id(), server.counters().value(counter));
        }
        return counted;
    }

    /** The current values of all gauges, by the name in the configuration reference. */
    public Map<String, Long> gauges() {
        Gauges gauges = server.transport().gauges();
        Map<String, Long> levels = new LinkedHashMap<>();
        for (Gauge gauge : Gauge.values()) {
            levels.put(gauge.id(), gauges.value(gauge));
        }
        return levels;
    }

    /**
     * Passes all figures of the server with their sources, for metrics libraries. They are the same as at the admin port's
     * {@code /metrics}. Figures of requests are included if {@code request-metrics} is {@code on}, or if there is an admin port. Figures
     * for an outcome of requests appear with the first such request: call this again to get new ones.
     */
    public void figures(FigureVisitor to) {
        server.figures().tell(to);
    }

    /**
     * The current activity of the server as text for people: each connection with its state, age and bytes; the jobs and stacks of the
     * workers; gauges and counters. Takes a second at most. Programs should not parse it: the format may change.
     */
    public String dump() {
        return server.dump();
    }

    /**
     * Opens the access log again by its name. Call this after the former file has been moved away. Does not wait. No effect without
     * an access log.
     */
    public void reopenLogs() {
        server.reopenLogs();
    }

    /**
     * Reads the files of certificates and keys at once, and uses them for new connections if they have changed; open connections keep their
     * certificates. If the files cannot be used, nothing changes. May wait for the disk.
     *
     * @return the result in words
     */
    public String reloadCertificates() {
        return server.reloadCertificates();
    }

    /**
     * Reads certificates, users ({@code realm-file}) and {@code response-rules} again, and uses the settings that can change while the server
     * runs: the name of the file of rules, and the limits by address. If a setting or a file is wrong, nothing changes at all. Each request
     * and each response sees either the former rules or the new ones. May wait for the disk.
     *
     * @param settings all settings of this server, changed or not; all else in the builder is ignored
     * @return the names of the settings that have changed and need a restart; they stay as they were
     * @throws ReloadException if a setting or a file is wrong. The message names the error; nothing has changed then
     */
    public List<String> reload(Builder settings) throws ReloadException {
        try {
            return server.reload(settings.configuration());
        } catch (RefusedReloadException | ConfigurationException e) {
            throw new ReloadException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The open challenges of ACME (RFC 8555), which the listener of {@code redirect-port} answers in plain text. */
    public HttpChallenges challenges() {
        return server.challenges();
    }

    /** For tests: the transport must be empty when no client is connected. */
    Transport transport() {
        return server.transport();
    }

    /**
     * Listens, for the first time after {@link Builder#prepare} or again after {@link #suspend}. Before the server listens for the
     * first time, a worker starts the filters and the servlets that load on startup. No effect if the server listens already.
     *
     * @throws StartException with one line that names the error, such as an application or the port. After {@code prepare}, this error also
     *     closes the server
     * @throws IllegalStateException if the server is being drained, or is closed
     */
    public void resume() throws StartException {
        try {
            server.resume();
        } catch (ServerStartException e) {
            if (server.hasEnded()) {
                close();
            }
            throw StartException.of(e);
        }
    }

    /**
     * The first half of {@link #close}, for a program that ends in steps. The server is no longer ready. After {@code shutdown-delay} it
     * stops listening, and each response closes its connection. Requests that run or have begun to arrive are completed. {@link #suspend}
     * or {@link #close} follows. If another thread calls {@code suspend} or {@code close} during the wait, the wait ends. No effect if the
     * server does not listen.
     *
     * @param patience how long to wait for the requests
     * @return true if no request is left. False if requests still run, which then continue, or if another thread has ended the wait
     * @throws InterruptedException if the thread is interrupted, which ends the wait. If it was interrupted before the call, nothing has
     *     changed
     */
    public boolean drain(Duration patience) throws InterruptedException {
        return server.drain(patience);
    }

    /**
     * Stops listening, answers 503 to requests without a response, and closes all connections. The applications stay, and running
     * requests are not interrupted. {@link #resume} listens again.
     */
    public void suspend() {
        server.suspend();
    }

    /** Waits until the server has been closed by another thread. */
    public void await() throws InterruptedException {
        closed.await();
    }

    /**
     * Whether the server is ready for requests: true from its start until {@link #close} begins. A readiness check for load balancers
     * should use it.
     */
    public boolean isReady() {
        return server.isReady();
    }

    /**
     * Stops the server. It is no longer ready, but continues to serve for {@code shutdown-delay}. Then it stops listening, each
     * response closes its connection, and idle connections are closed after another {@code shutdown-delay}. Requests that run or
     * have begun to arrive are completed, for at most {@code shutdown-timeout} after the server has stopped listening. After that,
     * requests without a response are answered 503. The applications are stopped last. A second call waits for the first. If the
     * calling thread is interrupted, the method stops waiting, does the rest, and sets the thread's interrupt flag.
     */
    @Override
    public void close() {
        server.stop();
        if (admin != null) {
            // Closed after the server: until then the admin port reports that the server is no longer ready.
            admin.close();
        }
        // Removed last: a signal that comes during this method then waits for the end of the method.
        removeExitHook();
        closed.countDown();
    }

    /**
     * Collects the settings of a server. Nothing is opened or checked before {@link #start}. A builder starts one server.
     *
     * <p>Thread: one.
     */
    public static final class Builder {
        private final Map<String, String> settings = new TreeMap<>();
        private final Map<String, Origin> origins = new HashMap<>();
        private final List<Applications.Deployable> applications = new ArrayList<>();
        private final Map<String, SourceTree> developed = new LinkedHashMap<>();
        private final List<ConnectionEvents> listeners = new ArrayList<>();
        private DeploymentFailurePolicy failurePolicy = DeploymentFailurePolicy.NOBODY_SERVES;
        private AtExit atExit = AtExit.SERVER_IS_LEFT;
        private EnvironmentProvider environments = EnvironmentProvider.ENTRIES_ONLY;
        private @Nullable Path temporary;
        private @Nullable SessionStores stores;
        private @Nullable Realm realm;
        private @Nullable TlsIdentity identity;
        private Runnable outOfMemory = Builder::logOutOfMemory;

        /** Whether the server is closed when the JVM ends. */
        private enum AtExit {
            SERVER_IS_LEFT,
            SERVER_IS_CLOSED
        }

        private Builder() {}

        /** TCP port to listen on; 0 takes a free one. */
        public Builder port(int port) {
            return set("port", Integer.toString(port));
        }

        /** Name or address to listen on; {@code 0.0.0.0} for all. */
        public Builder host(String host) {
            return set("host", host);
        }

        /**
         * Listens at several places, in place of {@link #host} and {@link #port}: {@code http://127.0.0.1:8080}, {@code https://:8443},
         * {@code unix:/run/penstock/http.sock?mode=660}; see {@code listen} in the configuration reference. A second call replaces the
         * first.
         */
        public Builder listen(String... urls) {
            return set("listen", String.join(",", urls));
        }

        /** Threads that run filters and servlets, regardless of the number of clients. */
        public Builder workers(int threads) {
            return set("workers", Integer.toString(threads));
        }

        /** Threads that move bytes between sockets and pipes. */
        public Builder reactors(int threads) {
            return set("reactors", Integer.toString(threads));
        }

        /** Requests that may wait for a worker; a further one is answered 503. */
        public Builder queue(int requests) {
            return set("queue", Integer.toString(requests));
        }

        /**
         * Sets any key of the configuration reference, written as in a configuration file: {@code set("body-limit", "10M")},
         * {@code set("head-timeout", "5s")}. A setting of one application has its context path before it:
         * {@code set("/shop:exclude-scan", "poi-*.jar")}.
         */
        public Builder set(String key, String value) {
            settings.put(key, value);
            origins.remove(key);
            return this;
        }

        /** As {@link #set(String, String)}, for a value from another source: the admin port shows {@code where} as its origin. */
        public Builder set(String key, String value, String where) {
            settings.put(key, value);
            origins.put(key, new Origin.Told(where));
            return this;
        }

        /**
         * Adds a listener for events of connections and, if it wants, of each request: for access logs, metrics, traces. It is called on
         * the threads that serve clients: read {@link ConnectionEvents} first.
         */
        public Builder events(ConnectionEvents listener) {
            listeners.add(listener);
            return this;
        }

        /**
         * Serves the applications in a folder, each WAR and each exploded web application at the path of its name, and follows changes of
         * the folder; see {@code webapps} in the configuration reference.
         */
        public Builder webapps(Path folder) {
            return set("webapps", folder.toString());
        }

        /**
         * Starts even if some applications cannot be deployed or started, as long as at least one can. The log gives the reason for each
         * failure. Without this call, one failed application fails the start.
         */
        public Builder leaveOutWhatFails() {
            failurePolicy = DeploymentFailurePolicy.OTHERS_SERVE;
            return this;
        }

        /**
         * Whether the server is closed in stages when the JVM ends by Ctrl-C, SIGTERM or {@code System.exit}. If so, the JVM waits
         * until {@link Penstock#close} is done. This takes at most about {@code shutdown-delay} plus {@code shutdown-timeout} plus
         * one second. By default the JVM ends at once, and running requests are cut off. So a program with a shutdown hook of its
         * own should close the server there. {@link Penstock#close} removes the hook of the server.
         */
        public Builder stopOnExit(boolean stop) {
            atExit = stop ? AtExit.SERVER_IS_CLOSED : AtExit.SERVER_IS_LEFT;
            return this;
        }

        /**
         * Sets the provider of the applications' naming environments, for {@code @Resource} and JNDI. Without it, only the descriptors'
         * {@code env-entry}s exist, and only for injection. The library {@code penstock-naming} has a provider with data sources and JNDI.
         */
        public Builder environments(EnvironmentProvider provider) {
            environments = provider;
            return this;
        }

        /** Sets the users of all applications, in place of {@code realm-file}. */
        public Builder realm(Realm users) {
            realm = users;
            return this;
        }

        /**
         * Sets the certificate of the server, in place of the keys {@code tls-cert} and {@code tls-keystore}. The program sets protocols,
         * ciphers and client certificates in its {@code SSLEngine}s. So {@code tls-protocols}, {@code tls-ciphers} and {@code
         * tls-client-auth} have no effect.
         */
        public Builder tls(TlsIdentity own) {
            identity = own;
            return set("tls-cert", "program");
        }

        /**
         * Sets the action for a lasting lack of memory. The action runs if memory has run out three times within ten seconds, in a
         * thread of the server or in an application during a request, and the heap was full. It also runs if garbage collections
         * took more than 95 % of ten seconds, and each left less than 5 % of the heap free. The server continues in any case. Each
         * failure costs one connection or task, and {@code out-of-memory} counts it. For ten seconds, {@code /health/live} of the
         * admin port answers 503. Without this call the server only logs the failure, since the process belongs to the embedding
         * program. A program that wants to be restarted ends the process here:
         *
         * <pre>{@code
         * builder.onOutOfMemory(() -> Runtime.getRuntime().halt(3));
         * }</pre>
         *
         * <p>Do not use {@code exit} instead of {@code halt}: it may never end, since shutdown hooks need memory, too. Allocate the memory
         * for the action in advance. The action runs on the thread that failed, or on a thread of the server, and not again within ten
         * seconds. Its exceptions are logged.
         */
        public Builder onOutOfMemory(Runnable action) {
            outOfMemory = action;
            return this;
        }

        private static void logOutOfMemory() {
            LOG.error("The heap is full: memory ran out three times within ten seconds, or garbage collections took"
                    + " nearly all of ten seconds");
        }

        /** Sets the folder for unpacked WARs and uploads, which must exist; by default the system's temporary directory. */
        public Builder temporary(Path folder) {
            temporary = folder;
            return this;
        }

        /**
         * Keeps sessions between requests in stores of the program, in place of memory and {@code session-dir}.
         *
         * @param ofContexts makes the store of each application; closed with the server
         */
        public Builder sessions(SessionStores ofContexts) {
            stores = ofContexts;
            return this;
        }

        /**
         * Adds a web application made in code.
         *
         * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
         * @param definition is called at once
         */
        public Builder context(String contextPath, Consumer<Context> definition) {
            Context context = new Context(contextPath);
            definition.accept(context);
            applications.add(context.wanted());
            return this;
        }

        /** Adds a web application at the root; see {@link #war(String, Path)}. */
        public Builder war(Path content) {
            return war("/", content);
        }

        /**
         * Adds a web application from the disk.
         *
         * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
         * @param content a WAR file, an exploded web application, or a folder of files
         */
        public Builder war(String contextPath, Path content) {
            applications.add(Applications.Deployable.of(contextPath, content));
            return this;
        }

        /**
         * Adds a web application in development. Its files stay where the build writes them. When they have changed and the changes
         * have stopped, a new version starts. Requests that arrive meanwhile wait for it. Other files, such as pages, are always
         * served in their current state. A version that does not start is logged and shown in the browser, and the former version
         * stays in service. The server starts even if the first version does not.
         *
         * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
         * @param files with or without a {@code WEB-INF}; for instance {@code src/main/webapp}
         * @param more is called at once, and adds further places of files, classes and libraries
         * @throws IllegalArgumentException if another application in development has the context path
         */
        public Builder develop(String contextPath, Path files, Consumer<Sources> more) {
            Sources sources = new Sources(files);
            more.accept(sources);
            String place = ContextPlace.canonical(contextPath);
            SourceTree other = developed.putIfAbsent(place, sources.tree());
            if (other != null) {
                throw new IllegalArgumentException("two applications have the context path " + place + ": "
                        + other.folders().get(0) + " and " + files);
            }
            return this;
        }

        /**
         * Merges descriptor, fragments and annotations of an application with its settings here, as
         * {@link Descriptors#effective} does. Nothing is started.
         *
         * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
         * @param content a WAR file, or an exploded web application
         * @throws StartException with one line that names the error and its place
         */
        public String effectiveDescriptor(String contextPath, Path content) throws StartException {
            try {
                return Descriptors.effective(contextPath, content, configuration());
            } catch (ConfigurationException e) {
                throw new StartException(String.valueOf(e.getMessage()), e);
            }
        }

        /**
         * Starts the server: when this returns it answers requests.
         *
         * @throws StartException with one line that names the error: a configured value, a file, an application, the port; nothing is left
         *     running
         */
        public Penstock start() throws StartException {
            return made(
                    Transport.Binding.AT_ONCE,
                    (server, beforeListening) -> server.start(applications, failurePolicy, beforeListening));
        }

        /**
         * The first half of {@link #start}, for a program that needs the {@code ServletContext}s before the server listens: makes the applications,
         * and runs their initializers and context listeners on the calling thread. {@link Penstock#resume} does the rest, and listens. All
         * applications must start, even with {@link #leaveOutWhatFails}.
         *
         * @throws StartException as {@link #start}, except for the port
         */
        public Penstock prepare() throws StartException {
            return made(Transport.Binding.LATER, (server, beforeListening) -> {
                server.prepare(applications);
                beforeListening.run();
            });
        }

        /** Starts a server, or prepares it. */
        @FunctionalInterface
        private interface FirstStep {
            void take(Server server, Server.BeforeListening beforeListening) throws ServerStartException;
        }

        private Penstock made(Transport.Binding binding, FirstStep step) throws StartException {
            try {
                Embedding given = embedding(binding);
                return made(new Server(new Assembly(Assembly.Role.SERVER, configuration(), given)), step);
            } catch (ServerStartException e) {
                throw StartException.of(e);
            } catch (ConfigurationException | IllegalArgumentException e) {
                throw new StartException(String.valueOf(e.getMessage()), e);
            }
        }

        private Penstock made(Server server, FirstStep step) throws ServerStartException {
            AdminSite admin = null;
            Penstock made = null;
            try {
                admin = AdminSite.open(server.configuration(), new WatchedServer(server), server.certificates());
                if (admin != null) {
                    server.gaugeSources().followers(admin::followers);
                }
                made = new Penstock(server, admin);
                // The server answers requests before the start has ended. So the exit hook is installed before the
                // server listens, and a signal stops the server in its stages from the first request on.
                step.take(server, atExit == AtExit.SERVER_IS_CLOSED ? made::stopOnExit : () -> {});
                return made;
            } catch (ServerStartException | RuntimeException | Error e) {
                server.stop();
                if (admin != null) {
                    admin.close();
                }
                if (made != null) {
                    made.removeExitHook();
                }
                throw e;
            }
        }

        /**
         * Checks a start without listening. The whole configuration is checked, with the files and folders that it names. So is the
         * deployment of each application: its descriptors are read, its fragments merged, and the classes that it names loaded.
         * Initializers are made, but no initializer, listener, filter or servlet runs. Nothing is left running, and a server that runs on
         * the same configuration is not disturbed. The check does not notice a port in use, nor an error that only the start of an
         * application shows.
         *
         * @return a line for each problem; empty if there is none
         */
        public List<String> check() {
            try {
                Embedding given = embedding(Transport.Binding.AT_ONCE);
                return new DryRun(configuration(), given).problems(applications);
            } catch (ConfigurationException | IllegalArgumentException e) {
                return List.of(String.valueOf(e.getMessage()));
            }
        }

        private Embedding embedding(Transport.Binding binding) {
            return new Embedding(
                    temporary,
                    realm,
                    listeners,
                    stores,
                    environments,
                    developed,
                    new MemoryWatch(outOfMemory),
                    identity,
                    binding);
        }

        private Configuration configuration() {
            ConfigurationSources sources = new ConfigurationSources();
            settings.forEach((name, text) -> sources.flag(name, text, origins.getOrDefault(name, new Origin.Code())));
            return sources.resolve();
        }
    }
}
