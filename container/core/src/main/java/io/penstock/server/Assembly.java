package io.penstock.server;

import io.penstock.certificates.ServerCertificates;
import io.penstock.certificates.TlsChallenges;
import io.penstock.certificates.TlsSetupException;
import io.penstock.challenges.HttpChallenges;
import io.penstock.context.Encodings;
import io.penstock.context.OpenWebSockets;
import io.penstock.context.WebContext;
import io.penstock.deploy.Applications;
import io.penstock.deploy.Deployer;
import io.penstock.deploy.DeploymentException;
import io.penstock.deploy.DeploymentServices;
import io.penstock.deploy.ServerSessionStores;
import io.penstock.deploy.ServerThreads;
import io.penstock.deploy.WebappsFolder;
import io.penstock.develop.Developments;
import io.penstock.dispatch.ContextTable;
import io.penstock.dispatch.Dispatchers;
import io.penstock.dispatch.PathTable;
import io.penstock.dispatch.ServletAdmission;
import io.penstock.dispatch.ServletHandler;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.exchange.Bulkhead;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.files.SmallFiles;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Https;
import io.penstock.limits.Key;
import io.penstock.limits.ListenAddress;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.limits.OperatorFile;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.ServerConfig.CrossContext;
import io.penstock.limits.ServerConfig.TextEncodings;
import io.penstock.limits.Switch;
import io.penstock.mapping.UrlPattern;
import io.penstock.memory.MemoryWatch;
import io.penstock.memory.Rounds;
import io.penstock.part.TlsIdentity;
import io.penstock.reactor.ListenException;
import io.penstock.realm.Realm;
import io.penstock.request.Compressors;
import io.penstock.request.CountedLimits;
import io.penstock.rules.ErrorDocuments;
import io.penstock.rules.ResponseRules;
import io.penstock.security.Logins;
import io.penstock.spool.SpoolUnavailableException;
import io.penstock.time.Clock;
import io.penstock.tls.TlsEngines;
import io.penstock.work.Job;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Makes the parts of one server, from the sockets up to the applications. {@link Server} starts and ends them.
 *
 * <p>Thread: the thread that starts or stops the server. Each part documents its own threads. Owns: the parts, which {@link Server} ends.
 */
public final class Assembly {
    private static final Logger LOG = ServerLog.logger();

    private final Role role;
    // Replaced by reloads. Only one reload runs at a time.
    private volatile Configuration configuration;
    private final ServerConfig config;
    private final Counters counters = new Counters();
    private final HttpChallenges challenges = new HttpChallenges();
    private final TlsChallenges tlsChallenges = new TlsChallenges();
    private final ContextTable contexts;
    private final Realm realm;
    private final MemoryWatch memory;
    private final Observers observers;
    private final Transport transport;
    private final HttpsRedirect redirect;
    private final boolean redirects;
    private final @Nullable ServerCertificates certificates;
    private final @Nullable CertificateOrders orders;
    private final @Nullable TlsIdentity identity;
    private final Compressors compressors;
    private final OpenWebSockets webSockets;
    private final GaugeSources gaugeSources;
    private final ServerSessionStores sessions;
    private final Applications applications;
    private final @Nullable WebappsFolder webapps;
    private final @Nullable Developments developments;
    private final ServerThreads threads;
    private final @Nullable Path temporary;

    /** The purpose of the server. A program with an admin port has one server of each role. */
    public enum Role {
        SERVER(""),
        /** The admin port, for operators. */
        ADMIN("admin-");

        private final String threads;

        Role(String threads) {
            this.threads = threads;
        }
    }

    /**
     * Makes the parts. Binds all addresses, except with {@link Transport.Binding#LATER}. Does not accept connections.
     *
     * @throws ServerStartException if a configured file, folder or port is not available. In this case, everything is closed again
     * @throws IllegalArgumentException if a value of the configuration contradicts {@code given}. The message names the key
     */
    public Assembly(Role role, Configuration configuration, Embedding given) throws ServerStartException {
        this(role, configuration, given, List.of());
    }

    /**
     * Like {@link #Assembly(Role, Configuration, Embedding)}, with other listeners.
     *
     * @param listeners the listeners, instead of the configured listeners. If the list is empty, the configured listeners are used
     */
    public Assembly(Role role, Configuration configuration, Embedding given, List<Listener> listeners)
            throws ServerStartException {
        this.role = role;
        this.configuration = configuration;
        config = ServerConfig.of(configuration);
        contexts = new ContextTable(config.unknownHost());
        requireNaming(configuration, given);
        requireMigration(configuration);
        realm = ConfiguredRealm.of(config.logins(), given.realm());
        sessions = sessionStores(configuration, counters, given);
        memory = given.memory();
        // The admin port is a second server in the same JVM. Only the main server must count a lack of memory.
        if (role == Role.SERVER) {
            memory.whenCounted(() -> counters.increment(Counter.OUT_OF_MEMORY));
        }
        Rounds rounds = new Rounds(memory);
        observers = new Observers(config, contexts, counters, given.listeners(), rounds);
        ResponseRules rules = ConfiguredRules.of(configuration);
        ErrorDocuments errors = ConfiguredRules.errors(configuration);
        List<Bulkhead> bulkheads =
                config.bulkheads().stream().map(limits -> Bulkhead.of(limits)).toList();
        ServletAdmission admission = new ServletAdmission(
                contexts,
                config.messages().bodyBytes(),
                streamingPaths(config),
                PathTable.of(bulkheads.stream()
                        .collect(Collectors.toMap(bulkhead -> bulkhead.limits().path(), bulkhead -> bulkhead))),
                ServletAdmission.PathAddresses.of(config.addresses()),
                PathTable.of(config.bodyBytesOfPaths()),
                config.traceMethod());
        SmallFiles smallFiles =
                new SmallFiles(config.files().cache(), () -> counters.increment(Counter.FILE_CACHE_CLEARED));
        compressors = new Compressors(config.compression().most(), () -> counters.increment(Counter.COMPRESSORS_BUSY));
        webSockets = new OpenWebSockets(config.webSockets(), config.proxies(), counters);
        CountedLimits parameterLimits = new CountedLimits(config.parameters(), counters);
        gaugeSources = new GaugeSources(
                contexts, sessions, webSockets, smallFiles, compressors, parameterLimits.memory(), observers);
        identity = given.identity();
        requireIdentity(config, given);
        certificates = certificates(config);
        orders = certificates == null || !config.acme().isOn()
                ? null
                : new CertificateOrders(config.acme(), certificates, challenges, tlsChallenges);
        if (certificates != null) {
            gaugeSources.certificates(certificates);
        }
        if (orders != null) {
            gaugeSources.failedOrders(orders::failures);
        }
        try {
            redirects = listeners.isEmpty() && config.https().redirectPort() != Https.OFF;
            redirect = new HttpsRedirect(challenges);
            ServletHandler servlets = new ServletHandler(
                    contexts,
                    new ServletHandler.Settings(
                            config.pipes().segment(),
                            parameterLimits,
                            config.service().async(),
                            config.redirects(),
                            compressors,
                            config.traceMethod()));
            developments = given.developed().isEmpty() ? null : new Developments(given.developed(), servlets);
            transport = transport(
                    admission,
                    developments == null ? servlets : developments,
                    bulkheads,
                    rounds,
                    listeners.isEmpty() ? configured(redirect) : listeners,
                    given);
            transport.replaceRules(config.addresses(), rules, errors);
            if (given.binding() == Transport.Binding.AT_ONCE) {
                bound();
            }
        } catch (SpoolUnavailableException e) {
            throw new ServerStartException(Key.SPOOL_DIR.id() + ": " + e.getMessage(), e);
        } catch (ListenException e) {
            throw new ServerStartException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new ServerStartException("cannot start: " + OperatorFile.explained(e), e);
        } catch (RuntimeException e) {
            throw new ServerStartException("cannot start: " + e.getMessage(), e);
        }
        Deployer deployer = new Deployer(new DeploymentServices(
                new Dispatchers(),
                this::neighbour,
                this::runOnWorker,
                InstantSource.system(),
                sessions,
                given.environments(),
                smallFiles,
                encodings(config.encodings()),
                new Logins(realm, config.logins(), counters, Clock.SYSTEM),
                configuration::application,
                counters,
                webSockets,
                given.temporary()));
        threads = new ServerThreads(transport.queue(), transport.workers(), transport.scheduler());
        temporary = given.temporary();
        applications =
                new Applications(deployer, contexts, threads, config.webapps().undeploy(), counters);
        gaugeSources.failedContexts(() -> applications.failures().size());
        Path folder = config.webapps().folder();
        webapps = folder == null ? null : new WebappsFolder(folder, applications, threads);
    }

    /**
     * Binds all addresses, if they are not bound already.
     *
     * @throws ServerStartException if an address cannot be bound. In this case, no address stays bound
     */
    void bind() throws ServerStartException {
        if (!addresses().isEmpty()) {
            return;
        }
        try {
            transport.bind();
        } catch (ListenException e) {
            throw new ServerStartException(String.valueOf(e.getMessage()), e);
        }
        bound();
    }

    /** Called after the addresses have been bound. The redirect to HTTPS gets its target port, which the system may have chosen. */
    void bound() {
        if (redirects) {
            redirect.target(publicPort());
        }
    }

    /**
     * Reads the configured certificates. Returns null for a server without TLS.
     *
     * @throws ServerStartException if the certificates cannot be used. The message names the file or the key
     */
    static @Nullable ServerCertificates certificates(ServerConfig config) throws ServerStartException {
        if (!config.tls().isOn() || config.tls().ofProgram() == Switch.ON) {
            return null;
        }
        try {
            return ServerCertificates.open(config.tls(), config.acme().names());
        } catch (TlsSetupException e) {
            throw new ServerStartException(e.withKey(config.tls()), e);
        }
    }

    /**
     * @throws IllegalArgumentException if data sources are configured, and the library for data sources is missing. The message names the
     *     key
     */
    static void requireNaming(Configuration configuration, Embedding given) {
        if (given.environments() == EnvironmentProvider.ENTRIES_ONLY
                && !configuration.text(Key.DATA_SOURCES).equals("none")) {
            throw new IllegalArgumentException(Key.DATA_SOURCES.id()
                    + ": this server has no library for JNDI; add io.penstock:penstock-naming to its class path");
        }
    }

    /**
     * @throws IllegalArgumentException if the configuration requires a certificate of the program, and the program has none. The exception
     *     is also thrown if the program has a certificate, and the configuration does not require it. The message names the key
     */
    static void requireIdentity(ServerConfig config, Embedding given) {
        boolean wanted = config.tls().ofProgram() == Switch.ON;
        if (wanted && given.identity() == null) {
            throw new IllegalArgumentException(
                    Key.TLS_CERT.id() + ": is 'program', but this program has no certificate of its own");
        }
        if (!wanted && given.identity() != null) {
            throw new IllegalArgumentException(
                    Key.TLS_CERT.id() + ": must be 'program', since this program has a certificate of its own");
        }
    }

    /**
     * @throws IllegalArgumentException if no library has the configured session store, or if two stores for sessions are configured. The
     *     message names the key
     */
    static ServerSessionStores sessionStores(Configuration configuration, Counters counters, Embedding given) {
        return new ServerSessionStores(
                ServerConfig.of(configuration).sessions(),
                configuration.text(Key.SESSION_STORE),
                counters,
                given.stores());
    }

    static void requireMigration(Configuration configuration) {
        if (configuration.migratesJavax()) {
            Deployer.requireMigration();
        }
    }

    static Encodings encodings(TextEncodings configured) {
        return Encodings.of(configured.request(), configured.response(), configured.files());
    }

    /** Makes the configured listeners, followed by the listener that redirects to HTTPS, if it is configured. */
    private List<Listener> configured(HttpsRedirect redirect) {
        List<Listener> all = new ArrayList<>();
        for (ListenAddress address : config.listen().addresses()) {
            Listener direct =
                    address.tls() == Switch.ON ? overTls(address.bindAddress()) : plain(address.bindAddress());
            all.add(address.proxyProtocol() == Switch.ON ? direct.behindProxies() : direct);
        }
        if (redirects) {
            Https https = config.https();
            Listener direct =
                    Listener.plain(new BindAddress.Network(https.redirectHost(), https.redirectPort()), redirect);
            all.add(config.proxies().protocol() == Switch.ON ? direct.behindProxies() : direct);
        }
        return all;
    }

    private Listener plain(BindAddress address) {
        Listener made = Listener.plain(address);
        return config.http2().priorKnowledge() == Switch.ON ? made.withPriorKnowledge() : made;
    }

    private Listener overTls(BindAddress address) {
        Listener made = overTlsWithHttp1(address);
        return config.http2().overTls() == Switch.ON ? made.withHttp2() : made;
    }

    private Listener overTlsWithHttp1(BindAddress address) {
        TlsIdentity own = identity;
        if (own != null) {
            return Listener.tls(
                    address,
                    TlsEngines.of(own::engine, own::nameDecides, engine -> host -> true, () -> false, host -> null));
        }
        ServerCertificates found =
                Objects.requireNonNull(certificates, "no certificate, although the key has been checked");
        return Listener.tls(
                address,
                TlsEngines.of(
                        found::engine,
                        found::nameDecides,
                        found::hosts,
                        () -> !tlsChallenges.isEmpty(),
                        tlsChallenges::engine));
    }

    /** The port at which clients reach the first TLS listener. */
    private int publicPort() {
        int configured = config.https().publicPort();
        if (configured != 0) {
            return configured;
        }
        List<ListenAddress> all = config.listen().addresses();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).tls() == Switch.ON && addresses().get(i) instanceof InetSocketAddress bound) {
                return bound.getPort();
            }
        }
        return Https.PORT;
    }

    private Transport transport(
            ServletAdmission admission,
            ExchangeHandler handler,
            List<Bulkhead> bulkheads,
            Rounds rounds,
            List<Listener> listeners,
            Embedding given)
            throws IOException {
        return new Transport(
                config,
                admission,
                handler,
                observers.all(),
                counters,
                new Transport.Options(
                        null,
                        null,
                        Clock.SYSTEM,
                        gaugeSources,
                        role.threads,
                        rounds,
                        listeners,
                        bulkheads,
                        given.binding()));
    }

    private @Nullable ServletContext neighbour(WebContext asker, String path) {
        WebContext found = contexts.find(asker.settings().host(), path);
        return found == asker || config.crossContext() == CrossContext.ALLOW ? found : null;
    }

    /** @throws IllegalArgumentException if a path is not a URL pattern. The message names the key */
    static List<UrlPattern> streamingPaths(ServerConfig config) {
        String paths = config.threads().streamingPaths();
        if (paths.equals("none")) {
            return List.of();
        }
        try {
            return Pattern.compile(",")
                    .splitAsStream(paths)
                    .map(String::strip)
                    .map(UrlPattern::ofOperator)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(Key.STREAMING_PATHS.id() + ": " + e.getMessage(), e);
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

    // ---- the parts

    Configuration configuration() {
        return configuration;
    }

    /** Replaces the configuration after a reload. */
    void configuration(Configuration changed) {
        configuration = changed;
    }

    /** The users who can log in. */
    Realm realm() {
        return realm;
    }

    Counters counters() {
        return counters;
    }

    Role role() {
        return role;
    }

    /** The watch that notices a lack of memory in the process. */
    MemoryWatch memory() {
        return memory;
    }

    /** The listeners for the connection events of the server. */
    Observers observers() {
        return observers;
    }

    /** The addresses of the listeners, as {@link Transport#addresses} returns them. */
    List<SocketAddress> addresses() {
        return transport.addresses();
    }

    /** The addresses at which clients speak TLS. */
    Set<SocketAddress> secureAddresses() {
        List<SocketAddress> bound = addresses();
        List<ListenAddress> all = config.listen().addresses();
        Set<SocketAddress> secure = new HashSet<>();
        for (int i = 0; i < Math.min(all.size(), bound.size()); i++) {
            if (all.get(i).tls() == Switch.ON) {
                secure.add(bound.get(i));
            }
        }
        return secure;
    }

    /** The address of the listener that redirects to HTTPS, or null if there is no such listener. */
    @Nullable
    InetSocketAddress redirectAddress() {
        List<SocketAddress> all = addresses();
        return redirects && !all.isEmpty() ? (InetSocketAddress) all.get(all.size() - 1) : null;
    }

    OpenWebSockets webSockets() {
        return webSockets;
    }

    GaugeSources gaugeSources() {
        return gaugeSources;
    }

    Transport transport() {
        return transport;
    }

    /** The contexts in service. */
    ContextTable contexts() {
        return contexts;
    }

    /** The compressors of all responses of the server. */
    Compressors compressors() {
        return compressors;
    }

    ServerSessionStores sessions() {
        return sessions;
    }

    /** The certificates, or null for a server without TLS. */
    @Nullable
    ServerCertificates certificates() {
        return certificates;
    }

    /** The orders of certificates, or null if ACME is off. */
    @Nullable
    CertificateOrders orders() {
        return orders;
    }

    /** The open challenges of ACME. The listener that redirects to HTTPS answers them. */
    public HttpChallenges challenges() {
        return challenges;
    }

    /** The applications of the server. Applications can be deployed and undeployed while the server runs. */
    Applications applications() {
        return applications;
    }

    /** Deploys the applications in development, if there are any. */
    void develop() throws DeploymentException {
        if (developments != null) {
            developments.open(applications, threads, temporary);
        }
    }

    /** The applications in development, or null if there are none. */
    @Nullable
    Developments developments() {
        return developments;
    }

    /** The folder of applications whose changes the server follows ({@code webapps}), or null if none is configured. */
    @Nullable
    WebappsFolder webapps() {
        return webapps;
    }
}
