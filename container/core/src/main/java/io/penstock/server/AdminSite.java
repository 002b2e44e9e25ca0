package io.penstock.server;

import io.penstock.admin.Pages;
import io.penstock.admin.Watched;
import io.penstock.certificates.ServerCertificates;
import io.penstock.deploy.Applications;
import io.penstock.deploy.ContextDefinition;
import io.penstock.limits.Admin;
import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Key;
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
 * The admin port of a server: a second, tiny server with its own threads and memory. It answers even when queue and workers of the main
 * server are full. Its slow or large answers delay no client of the main server.
 *
 * <p>Thread: the server's owner. Owns: the second server.
 */
public final class AdminSite implements AutoCloseable {
    private static final Logger LOG = ServerLog.logger();

    private final Server site;
    private final Pages pages;

    private AdminSite(Server site, Pages pages) {
        this.site = site;
        this.pages = pages;
    }

    /**
     * Opens the port; null if none is configured. The port answers from now on, before the main server does.
     *
     * @param certificates the certificates of the main server, which reads their files again after a change; null if the main server has
     *     none
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
                        "The admin port {} is open to other machines without a token: set {}",
                        site.address(),
                        Key.ADMIN_TOKEN.id());
            }
            return new AdminSite(site, pages);
        } catch (UnknownHostException e) {
            throw new ServerStartException(Key.ADMIN_HOST.id() + ": unknown host " + admin.host(), e);
        } catch (ServerStartException e) {
            throw new ServerStartException(Key.ADMIN_PORT.id() + ": " + e.getMessage(), e);
        }
    }

    /** Accepts any host: a monitor may verify the server by another name than the name in its URL. */
    private static Listener overTls(Admin admin, @Nullable ServerCertificates certificates) {
        ServerCertificates known = Objects.requireNonNull(certificates, "there is a certificate: the key is checked");
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

    /** The configuration: small, since there are few clients. */
    private static Configuration tiny(Configuration given, Admin admin) {
        Map<Key, String> values = new EnumMap<>(Key.class);
        values.put(Key.HOST, admin.host());
        values.put(Key.PORT, Integer.toString(admin.port()));
        values.put(Key.REQUEST_METRICS, "off");
        values.put(Key.FLIGHT, "off"); // requests of operators are not recorded
        values.put(Key.MAX_CONNECTIONS, "64");
        values.put(Key.MAX_CONNECTIONS_POLICY, "replace"); // otherwise idle connections could keep the operator out
        values.put(Key.WORKERS, "2");
        values.put(Key.REACTORS, "1");
        values.put(Key.QUEUE, "64");
        values.put(Key.PIPE_CAPACITY, "16K"); // small, so that a slow reader of the flow board is noticed soon
        values.put(Key.PIPE_SEGMENT, "16K");
        values.put(Key.PIPE_BUDGET, "4M");
        values.put(Key.HEAD_BUDGET, "1M");
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

    /** How many clients follow the flow board. */
    public int followers() {
        return pages.followers();
    }

    public InetSocketAddress address() {
        return site.address();
    }

    @Override
    public void close() {
        // Closed first: otherwise the stop would wait for the clients that follow the flow board.
        pages.close();
        site.stop();
    }
}
