package io.penstock.server;

import io.penstock.admin.Pages;
import io.penstock.admin.Watched;
import io.penstock.certificates.ServerCertificates;
import io.penstock.deploy.Applications;
import io.penstock.deploy.ContextDefinition;
import io.penstock.limits.Admin;
import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.HelpPage;
import io.penstock.limits.Key;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.limits.Origin;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.Switch;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The admin port of a server. It is a second, small server with its own threads and memory. It answers requests even if the queue and the
 * workers of the main server are full. Slow or large responses of the admin port do not delay clients of the main server.
 *
 * <p>Thread: the thread that starts or stops the server. Owns: the second server.
 */
public final class AdminSite implements AutoCloseable {
    private static final Logger LOG = ServerLog.logger();

    private final Server site;
    private final Pages pages;
    private final Switch tls;

    private AdminSite(Server site, Pages pages, Switch tls) {
        this.site = site;
        this.pages = pages;
        this.tls = tls;
    }

    /**
     * Opens the admin port. It answers requests after this call, before the main server starts. Returns null if no admin port is
     * configured.
     *
     * @param certificates the certificates of the main server, or null if it has none. The main server reads the files of the certificates
     *     again after a change
     * @throws ServerStartException if the port cannot be bound
     */
    public static @Nullable AdminSite open(
            Configuration given, Watched watched, @Nullable ServerCertificates certificates)
            throws ServerStartException {
        Admin admin = ServerConfig.of(given).admin();
        if (!admin.isOn()) {
            return null;
        }
        Server site;
        try {
            InetAddress bound = InetAddress.getByName(admin.host());
            Pages pages = new Pages(watched, admin, bound);
            site = new Server(new Assembly(
                    Assembly.Role.ADMIN,
                    tiny(given, admin),
                    Embedding.only(watched.memory()),
                    admin.tls() == Switch.ON ? List.of(overTls(admin, certificates)) : List.of()));
            site.start(List.of(application(pages)), DeploymentFailurePolicy.NOBODY_SERVES);
            if (!bound.isLoopbackAddress() && !admin.asksForToken()) {
                LOG.warn(
                        "The admin port {} is open to other machines without a token: set {}{}",
                        site.address(),
                        Key.ADMIN_TOKEN.id(),
                        HelpPage.ADMIN_PORT.more());
            }
            return new AdminSite(site, pages, admin.tls());
        } catch (UnknownHostException e) {
            throw new ServerStartException(Key.ADMIN_HOST.id() + ": unknown host " + admin.host(), e);
        } catch (ServerStartException e) {
            throw new ServerStartException(Key.ADMIN_PORT.id() + ": " + e.getMessage(), e);
        }
    }

    /**
     * The listener of the admin port with TLS. The listener accepts every host name, because the host name in the URL of a monitor can be
     * missing in the certificate.
     */
    private static Listener overTls(Admin admin, @Nullable ServerCertificates certificates) {
        ServerCertificates known =
                Objects.requireNonNull(certificates, "no certificate, although the key has been checked");
        return Listener.tls(new InetSocketAddress(admin.host(), admin.port()), known::engine);
    }

    private static Applications.Deployable application(Pages pages) {
        ContextDefinition definition = ContextDefinition.of(
                "/",
                pages.all().stream()
                        .map(page -> new ContextDefinition.EmbeddedServlet(
                                page.name(), page.servlet(), page.patterns(), Map.of(), null))
                        .toList(),
                List.of(new ContextDefinition.EmbeddedFilter("gate", pages.gate(), Set.of(), List.of("/*"), Map.of())));
        return new Applications.Deployable("/", "the admin port", deployer -> deployer.deploy(definition));
    }

    /** The configuration of the admin port. Its limits are small, because there are few clients. */
    private static Configuration tiny(Configuration given, Admin admin) {
        Map<Key, String> values = new EnumMap<>(Key.class);
        values.put(Key.HOST, admin.host());
        values.put(Key.PORT, Integer.toString(admin.port()));
        values.put(Key.REQUEST_METRICS, "off");
        // Requests of operators are not recorded.
        values.put(Key.FLIGHT, "off");
        values.put(Key.MAX_CONNECTIONS, "64");
        // Idle connections must not keep an operator out, so a new connection replaces an idle connection.
        values.put(Key.MAX_CONNECTIONS_POLICY, "replace");
        values.put(Key.WORKERS, "2");
        values.put(Key.REACTORS, "1");
        values.put(Key.QUEUE, "64");
        // The pipe (the buffer between a servlet and its client) is small. So the server notices soon if a client reads
        // the flow board, a live page, too slowly.
        values.put(Key.PIPE_CAPACITY, "16K");
        values.put(Key.PIPE_SEGMENT, "16K");
        values.put(Key.PIPE_BUDGET, "4M");
        values.put(Key.HEAD_BUDGET, "1M");
        values.put(Key.PARSED_BUDGET, "1M");
        values.put(Key.BODY_LIMIT, "0");
        values.put(Key.SPOOL_DIR, given.text(Key.SPOOL_DIR));
        values.put(Key.SPOOL_LIMIT, "256M");
        values.put(Key.SPOOL_THREADS, "1");
        values.put(Key.FILE_CACHE, "0");
        values.put(Key.TLS_THREADS, "1");
        values.put(Key.MAX_SESSIONS, "1");
        values.put(Key.SHUTDOWN_TIMEOUT, "1s");
        ConfigurationSources sources = new ConfigurationSources();
        values.forEach((key, text) -> sources.flag(key, text, new Origin.Told("the admin port")));
        return sources.resolve();
    }

    /** The number of clients that watch the flow board, the live page of the admin port. */
    public int followers() {
        return pages.followers();
    }

    public InetSocketAddress address() {
        return site.address();
    }

    /** The URL of the flow board, with the address that the admin port is bound to. */
    public String url() {
        String scheme = tls == Switch.ON ? "https" : "http";
        InetSocketAddress bound = address();
        return scheme + "://" + new BindAddress.Network(bound.getAddress().getHostAddress(), bound.getPort()) + "/";
    }

    @Override
    public void close() {
        // The pages are closed first. Otherwise the stop would wait for the clients that watch the flow board.
        pages.close();
        site.stop();
    }
}
