package io.penstock;

import io.penstock.address.ContextLocation;
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
import io.penstock.limits.Counter;
import io.penstock.limits.Origin;
import io.penstock.memory.MemoryWatch;
import io.penstock.metrics.Gauge;
import io.penstock.metrics.Gauges;
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
 * A running server. The server has threads of its own until {@link #close}. They are not daemon threads.
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
     * The TCP port on which the server listens. If port 0 is configured, this is the free port that the system has chosen. With several
     * listeners, it is the port of the first TCP listener.
     *
     * @throws IllegalStateException if the server listens at Unix domain sockets only
     */
    public int port() {
        return server.address().getPort();
    }

    /**
     * The address on which the server listens. With several listeners, it is the address of the first TCP listener.
     *
     * @throws IllegalStateException if the server listens at Unix domain sockets only
     */
    public InetSocketAddress address() {
        return server.address();
    }

    /**
     * The addresses of all listeners, in the order of the configuration, with the actual ports. The listener of {@code redirect-port} is
     * the last. Addresses of Unix domain sockets are {@link java.net.UnixDomainSocketAddress}es.
     */
    public List<SocketAddress> addresses() {
        return server.addresses();
    }

    /** The addresses among {@link #addresses} at which clients speak TLS. */
    public Set<SocketAddress> secureAddresses() {
        return server.secureAddresses();
    }

    /** The address of the plain-text listener that redirects to HTTPS ({@code redirect-port}), if there is one. */
    public Optional<InetSocketAddress> redirectAddress() {
        return server.redirectAddress();
    }

    /** The address of the admin port, if there is one. */
    public Optional<InetSocketAddress> adminAddress() {
        return Optional.ofNullable(admin).map(AdminSite::address);
    }

    /** The context paths in service. The root is {@code /}. A context of a virtual host has the form {@code //www.example.org/name}. */
    public List<String> contexts() {
        return server.contexts().stream().map(WebContext::name).toList();
    }

    /**
     * Deploys a web application from the disk. An application with the same context path is replaced. When this method returns, new
     * requests go to the new application. Requests that run in the former application continue to run there, and the method does not wait
     * for them. A worker starts the listeners, filters and servlets.
     *
     * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
     * @param content a WAR file, an exploded web application, or a folder of files
     * @throws DeployException if the application cannot be deployed. The message is one line that names the error. The former application
     *     stays in service
     */
    public void deploy(String contextPath, Path content) throws DeployException {
        deploy(Applications.Deployable.of(contextPath, content));
    }

    /** Like {@link #deploy(String, Path)}, for a web application made in code. */
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
     * Takes a web application out of service: new requests do not reach the application. The method waits at most {@code undeploy-timeout}
     * for the running requests of the application. Then it waits until the application has stopped. A call from a servlet does not wait,
     * because the servlet's own request cannot end during the call.
     *
     * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
     * @return whether there was an application with this context path
     */
    public boolean undeploy(String contextPath) {
        return server.applications().undeploy(contextPath);
    }

    /** The values of all counters since the start. The keys are the names in the configuration reference. */
    public Map<String, Long> counters() {
        Map<String, Long> counted = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            counted.put(counter.id(), server.counters().value(counter));
        }
        return counted;
    }

    /** The current values of all gauges. The keys are the names in the configuration reference. */
    public Map<String, Long> gauges() {
        Gauges gauges = server.transport().gauges();
        Map<String, Long> levels = new LinkedHashMap<>();
        for (Gauge gauge : Gauge.values()) {
            levels.put(gauge.id(), gauges.value(gauge));
        }
        return levels;
    }

    /**
     * Passes all figures (counters, gauges and histograms) of the server to a visitor, for metrics libraries. The admin port's {@code
     * /metrics} shows the same figures. Figures of requests are included if {@code request-metrics} is {@code on}. With the default {@code
     * auto}, they are included if there is an admin port. Each outcome of requests, for example each status, has its own figures. These
     * figures exist only after the first request with this outcome. Call this method again to get them.
     */
    public void figures(FigureVisitor to) {
        server.figures().tell(to);
    }

    /**
     * The current activity of the server as text for people. The text lists the connections with their state, age and bytes, and the
     * workers with their jobs and stacks. It also has the gauges and counters. The method takes at most one second. Programs should not
     * parse the text, because its format can change.
     */
    public String dump() {
        return server.dump();
    }

    /**
     * Opens the file of the access log again by its name. Call this method after the former file has been moved away. The method does not
     * wait. It has no effect without an access log.
     */
    public void reopenLogs() {
        server.reopenLogs();
    }

    /**
     * Reads the files of certificates and keys at once. If the files have changed, new connections use the new certificates. Open
     * connections keep their certificates. If the files cannot be used, nothing changes. The method can wait for the disk.
     *
     * @return a text that describes the result
     */
    public String reloadCertificates() {
        return server.reloadCertificates();
    }

    /**
     * Reads certificates, users ({@code realm-file}), {@code response-rules} and {@code error-pages} again. Also uses the new values of the settings that can
     * change while the server runs. These are the file name in {@code response-rules} and the settings for client addresses: {@code
     * allowed-addresses}, {@code denied-addresses}, {@code request-rate}, {@code request-burst}, {@code request-rate-kept} and {@code
     * max-connections-address}. If a setting or a file is wrong, nothing changes. Each request and each response uses either only the
     * former rules or only the new rules. The method can wait for the disk.
     *
     * @param settings all settings of this server, changed or unchanged. Everything in the builder that is not a setting is ignored
     * @return the names of the changed settings that need a restart. The server continues to use their former values
     * @throws ReloadException if a setting or a file is wrong. The message names the error. Nothing has changed in this case
     */
    public List<String> reload(Builder settings) throws ReloadException {
        try {
            return server.reload(settings.configuration());
        } catch (RefusedReloadException | ConfigurationException e) {
            throw new ReloadException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The open challenges of ACME (RFC 8555). The listener of {@code redirect-port} answers them in plain text. */
    public HttpChallenges challenges() {
        return server.challenges();
    }

    /** For tests, which check that the transport has no connection after all clients have disconnected. */
    Transport transport() {
        return server.transport();
    }

    /**
     * Makes the server listen: for the first time after {@link Builder#prepare}, or again after {@link #suspend}. Before the server listens
     * for the first time, a worker starts the filters and the servlets that load on startup. The method has no effect if the server listens
     * already.
     *
     * @throws StartException if an application does not start, or the server cannot listen. The message is one line that names the error.
     *     If this was the first start after {@code prepare}, the server is closed
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
     * Does the first half of {@link #close}, for a program that ends in steps. {@link #isReady} becomes false at once. After {@code
     * shutdown-delay}, the server stops listening, and each response closes its connection. Requests that run or have begun to arrive are
     * completed. The program then calls {@link #suspend} or {@link #close}. If another thread calls {@code suspend} or {@code close} during
     * the wait, the wait ends. The method has no effect if the server does not listen.
     *
     * @param patience the longest time to wait for the requests
     * @return true if no request is running. False if requests run after {@code patience}, or if another thread has ended the wait. The
     *     running requests continue
     * @throws InterruptedException if the thread is interrupted. The interrupt ends the wait. If the thread was interrupted before the
     *     call, the call changes nothing
     */
    public boolean drain(Duration patience) throws InterruptedException {
        return server.drain(patience);
    }

    /**
     * Stops listening, answers 503 to requests without a response, and closes all connections. The applications stay deployed, and running
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
     * Whether the server is ready for requests. It is ready after the start, until {@link #drain}, {@link #suspend} or {@link #close}
     * begins. A readiness check for load balancers should use this method.
     */
    public boolean isReady() {
        return server.isReady();
    }

    /**
     * Stops the server. {@link #isReady} becomes false at once, and the server continues to serve for {@code shutdown-delay}. Then the
     * server stops listening, and each response closes its connection. Idle connections are closed after another {@code shutdown-delay}.
     * Requests that run or have begun to arrive are completed, for at most {@code shutdown-timeout} after the server has stopped listening.
     * After {@code shutdown-timeout}, requests without a response are answered 503. The applications are stopped last. A second call waits
     * for the end of the first. If the calling thread is interrupted, the method stops waiting, does all further steps at once, and sets
     * the thread's interrupt flag.
     */
    @Override
    public void close() {
        try {
            server.stop();
        } finally {
            end();
        }
    }

    private void end() {
        try {
            if (admin != null) {
                // Closed after the server: while the server stops, the admin port reports that it is not ready.
                admin.close();
            }
        } finally {
            // Removed last: if a signal comes during this method, the hook makes the JVM wait for its end.
            removeExitHook();
            closed.countDown();
        }
    }

    /**
     * Collects the settings of a server. The server opens and checks nothing before {@link #start}. A builder starts one server.
     *
     * <p>Thread: one thread at a time.
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

        /** TCP port to listen on; 0 takes a free port. */
        public Builder port(int port) {
            return set("port", Integer.toString(port));
        }

        /** Host name or address to listen on; {@code 0.0.0.0} for all addresses. */
        public Builder host(String host) {
            return set("host", host);
        }

        /**
         * Sets several addresses to listen on, and replaces {@link #host} and {@link #port}. Examples are {@code http://127.0.0.1:8080},
         * {@code https://:8443} and {@code unix:/run/penstock/http.sock?mode=660}. See {@code listen} in the configuration reference. A
         * second call replaces the addresses of the first.
         */
        public Builder listen(String... urls) {
            return set("listen", String.join(",", urls));
        }

        /** Number of threads that run filters and servlets. It does not depend on the number of clients. */
        public Builder workers(int threads) {
            return set("workers", Integer.toString(threads));
        }

        /** Number of reactor threads, which read from and write to the sockets. */
        public Builder reactors(int threads) {
            return set("reactors", Integer.toString(threads));
        }

        /** Number of requests that can wait for a worker. A further request is answered 503. */
        public Builder queue(int requests) {
            return set("queue", Integer.toString(requests));
        }

        /**
         * Sets a key of the configuration reference. The value is written as in a configuration file: {@code set("body-limit", "10M")},
         * {@code set("head-timeout", "5s")}. For a setting of one application, write the context path of the application before the key:
         * {@code set("/shop:exclude-scan", "poi-*.jar")}.
         */
        public Builder set(String key, String value) {
            settings.put(key, value);
            origins.remove(key);
            return this;
        }

        /**
         * Like {@link #set(String, String)}, for a value from another source. The admin port shows {@code where} as the origin of the
         * value.
         */
        public Builder set(String key, String value, String where) {
            settings.put(key, value);
            origins.put(key, new Origin.Told(where));
            return this;
        }

        /**
         * Adds a listener for events of connections, and optionally of each request, for access logs, metrics or traces. The listener is
         * called on the threads that serve clients. So read {@link ConnectionEvents} first.
         */
        public Builder events(ConnectionEvents listener) {
            listeners.add(listener);
            return this;
        }

        /**
         * Serves each WAR and each exploded web application in a folder. The name of the WAR or folder is the context path. The server
         * follows changes of the folder. See {@code webapps} in the configuration reference.
         */
        public Builder webapps(Path folder) {
            return set("webapps", folder.toString());
        }

        /**
         * Starts the server even if some applications cannot be deployed or started. At least one application must start. The log has the
         * reason of each failure. Without this call, one failed application fails the start.
         */
        public Builder leaveOutWhatFails() {
            failurePolicy = DeploymentFailurePolicy.OTHERS_SERVE;
            return this;
        }

        /**
         * Sets whether the server is closed when the JVM ends by Ctrl-C, SIGTERM or {@code System.exit}. If true, a shutdown hook calls
         * {@link Penstock#close}, and the JVM waits for the end of this call. The wait takes at most about {@code shutdown-delay} plus
         * {@code shutdown-timeout} plus one second. By default the JVM ends at once, and running requests are cut off. A program with a
         * shutdown hook of its own should not use this method, and should close the server in its own hook. {@link Penstock#close} removes
         * the hook of the server.
         */
        public Builder stopOnExit(boolean stop) {
            atExit = stop ? AtExit.SERVER_IS_CLOSED : AtExit.SERVER_IS_LEFT;
            return this;
        }

        /**
         * Sets the provider of the applications' naming environments, for {@code @Resource} and JNDI. Without a provider, the environment
         * of an application has only the {@code env-entry} elements of its descriptors. These entries can be injected, but JNDI cannot find
         * them. The library {@code penstock-naming} has a provider with data sources and JNDI.
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
         * Sets the certificate of the server, in place of the keys {@code tls-cert} and {@code tls-keystore}. The program itself sets
         * protocols, ciphers and client certificates in the {@code SSLEngine}s of {@link TlsIdentity}. So {@code tls-protocols}, {@code
         * tls-ciphers} and {@code tls-client-auth} have no effect.
         */
        public Builder tls(TlsIdentity own) {
            identity = own;
            return set("tls-cert", "program");
        }

        /**
         * Sets the action for a lasting lack of memory. The action runs if memory has run out three times within ten seconds, and the heap
         * was full each time. Failures count if they occur in a thread of the server, or in an application during a request. The action
         * also runs if garbage collections took more than 95 % of ten seconds, and less than 5 % of the heap was free after each
         * collection. The server continues in any case. Each {@code OutOfMemoryError} ends one connection or task, and the counter {@code
         * out-of-memory} counts the error. For ten seconds, {@code /health/live} of the admin port answers 503. Without this call, the
         * server only logs the lack of memory, because the process belongs to the embedding program. If a supervisor restarts the program,
         * the action can end the process:
         *
         * <pre>{@code
         * builder.onOutOfMemory(() -> Runtime.getRuntime().halt(3));
         * }</pre>
         *
         * <p>Do not use {@code exit} instead of {@code halt}: shutdown hooks need memory, too, so {@code exit} can wait forever. Allocate
         * the memory for the action in advance. The action runs on the thread that failed, or on a thread of the server, at most once in
         * ten seconds. Exceptions of the action are logged.
         */
        public Builder onOutOfMemory(Runnable action) {
            outOfMemory = action;
            return this;
        }

        private static void logOutOfMemory() {
            LOG.error("The heap is full: memory ran out three times within ten seconds, or garbage collections took"
                    + " nearly all of ten seconds");
        }

        /** Sets the folder for unpacked WARs and uploads. The folder must exist. By default it is the system's temporary directory. */
        public Builder temporary(Path folder) {
            temporary = folder;
            return this;
        }

        /**
         * Keeps sessions between requests in stores of the program, instead of memory or {@code session-dir}.
         *
         * @param ofContexts makes the store of each application. The server closes this object when the server is closed
         */
        public Builder sessions(SessionStores ofContexts) {
            stores = ofContexts;
            return this;
        }

        /**
         * Adds a web application made in code.
         *
         * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
         * @param definition sets up the application; it is called at once
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
         * Adds a web application in development. The server reads the files in the folders to which the build writes them. When classes,
         * libraries or descriptors have changed and the changes have stopped, a new version starts. Requests that arrive during the start
         * wait for the new version. Other files, such as pages, are always served in their current state. If a version does not start, the
         * failure is logged and shown in the browser, and the former version stays in service. The server starts even if the first version
         * of the application does not start.
         *
         * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
         * @param files the folder of the application's files, with or without a {@code WEB-INF}; for instance {@code src/main/webapp}
         * @param more adds further folders of files, classes and libraries; it is called at once
         * @throws IllegalArgumentException if another application in development has the same context path
         */
        public Builder develop(String contextPath, Path files, Consumer<Sources> more) {
            Sources sources = new Sources(files);
            more.accept(sources);
            String location = ContextLocation.canonical(contextPath);
            SourceTree other = developed.putIfAbsent(location, sources.tree());
            if (other != null) {
                throw new IllegalArgumentException("two applications have the context path " + location + ": "
                        + other.folders().get(0) + " and " + files);
            }
            return this;
        }

        /**
         * Merges the descriptor, the fragments and the annotations of an application, like {@link Descriptors#effective}. Also uses the
         * settings of this builder for the application. Nothing is started.
         *
         * @param contextPath {@code /} for the root, {@code /name}, or with a host {@code //www.example.org/name}
         * @param content a WAR file, or an exploded web application
         * @throws StartException if the application cannot be read or merged. The message is one line that names the error and its location
         */
        public String effectiveDescriptor(String contextPath, Path content) throws StartException {
            try {
                return Descriptors.effective(contextPath, content, configuration());
            } catch (ConfigurationException e) {
                throw new StartException(String.valueOf(e.getMessage()), e);
            }
        }

        /**
         * Starts the server. When this method returns, the server answers requests.
         *
         * @throws StartException if the server cannot start because of a configured value, a file, an application or the port. The message
         *     is one line that names the error. No part of the server is running in this case
         */
        public Penstock start() throws StartException {
            return made(
                    Transport.Binding.AT_ONCE,
                    (server, beforeListening) -> server.start(applications, failurePolicy, beforeListening));
        }

        /**
         * Does the first half of {@link #start}, for a program that needs the {@code ServletContext}s before the server listens. The method
         * makes the applications, and runs their initializers and context listeners on the calling thread. {@link Penstock#resume} does the
         * second half, and makes the server listen. All applications must start, even with {@link #leaveOutWhatFails}.
         *
         * @throws StartException if the server cannot start because of a configured value, a file or an application
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
                    server.adminUrl(admin.url());
                }
                made = new Penstock(server, admin);
                // The server answers requests before the start has ended. So the exit hook must be installed before the
                // server listens. A signal during the first request then also closes the server in an orderly way.
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
         * Checks a start without listening. The method checks the whole configuration, with the files and folders that the configuration
         * names. It also checks the deployment of each application: it reads the descriptors, merges the fragments, and loads the classes
         * that the descriptors name. It creates initializers, but runs no initializer, listener, filter or servlet. After the method,
         * nothing is running. A server that runs on the same configuration is not disturbed. The check does not find a port in use. It does
         * not find errors that occur only when an application starts.
         *
         * @return one line for each problem; empty if there is no problem
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
