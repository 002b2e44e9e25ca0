package io.penstock.boot;

import io.penstock.Context;
import io.penstock.Penstock;
import io.penstock.StartException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.AbstractConfigurableWebServerFactory;
import org.springframework.boot.web.server.Compression;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerException;

/**
 * Converts Boot's settings to configuration keys of a server, and creates the server. The subclasses for servlet applications and for
 * reactive applications define the web application.
 *
 * <p>Thread: the thread that starts the application.
 */
public abstract class PenstockWebServerFactory extends AbstractConfigurableWebServerFactory
        implements ConfigurablePenstockWebServerFactory {
    /**
     * The networks of trusted proxies. Boot's other servers trust the same networks by default: loopback, link-local, private, shared (RFC
     * 6598).
     */
    private static final String PRIVATE_NETWORKS =
            "127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, 100.64.0.0/10, ::1, fe80::/10, fc00::/7";

    /**
     * The keys that also apply to a management port. Browsers send the cookies of the application to the management port, too. So the heads
     * of these requests can have the same size.
     */
    private static final Set<String> OF_MANAGEMENT = Set.of("header-bytes-limit");

    private final ServerKeys keys = new ServerKeys();
    private final List<PenstockBuilderCustomizer> builderCustomizers = new ArrayList<>();
    private final List<PenstockContextCustomizer> contextCustomizers = new ArrayList<>();
    private Forwarding forwarding = Forwarding.IGNORED;
    private Purpose purpose = Purpose.APPLICATION;

    private enum Forwarding {
        IGNORED,
        USED
    }

    /** The purpose of a server. */
    protected enum Purpose {
        APPLICATION,
        /** A server for operators, in addition to the application's server. */
        MANAGEMENT
    }

    protected PenstockWebServerFactory() {}

    protected PenstockWebServerFactory(int port) {
        super(port);
    }

    @Override
    public void set(String key, String value, String where) {
        keys.set(key, value, where);
    }

    @Override
    public void addBuilderCustomizers(PenstockBuilderCustomizer... customizers) {
        builderCustomizers.addAll(List.of(customizers));
    }

    @Override
    public void addContextCustomizers(PenstockContextCustomizer... customizers) {
        contextCustomizers.addAll(List.of(customizers));
    }

    @Override
    public void setUseForwardHeaders(boolean use) {
        forwarding = use ? Forwarding.USED : Forwarding.IGNORED;
    }

    @Override
    public void useForManagement() {
        purpose = Purpose.MANAGEMENT;
        builderCustomizers.clear();
        contextCustomizers.clear();
        keys.retain(OF_MANAGEMENT);
        keys.set("workers", "4", "the management port");
        keys.set("reactors", "1", "the management port");
        keys.set("pipe-budget", "16M", "the management port");
    }

    /** The purpose of the server. */
    protected final Purpose purpose() {
        return purpose;
    }

    /** Whether the application has a session store, which then has its sessions in place of a folder. */
    final boolean hasSessionStore() {
        String store = keys.get("session-store");
        return store != null && !store.equals("none");
    }

    /**
     * Creates a server with one web application. The initializers of the application run on the calling thread.
     *
     * @param contextPath the context path; empty for the root; null for an application without a context path
     * @param application defines the web application
     * @param own the keys that the subclass sets
     * @param loader the class loader of the application; null for the context class loader of the thread
     * @param released the code that runs at the end of the server
     */
    final PenstockWebServer webServer(
            @Nullable String contextPath,
            Consumer<Context> application,
            ServerKeys own,
            @Nullable ClassLoader loader,
            Runnable released) {
        Penstock.Builder builder = Penstock.builder();
        ServerKeys all = ofBoot(builder);
        all.setAll(own);
        all.setAll(keys);
        listen(all);
        all.applyTo(builder);
        Thread thread = Thread.currentThread();
        ClassLoader outer = thread.getContextClassLoader();
        thread.setContextClassLoader(loader == null ? outer : loader);
        try {
            builder.context(contextPath == null || contextPath.isEmpty() ? "/" : contextPath, context -> {
                application.accept(context);
                contextCustomizers.forEach(customizer -> customizer.customize(context));
            });
            builderCustomizers.forEach(customizer -> customizer.customize(builder));
            return new PenstockWebServer(
                    builder.prepare(),
                    getPort() < 0 ? PenstockWebServer.Listening.NEVER : PenstockWebServer.Listening.ON_START,
                    getShutdown(),
                    new StartedMessage(contextPath),
                    released);
        } catch (StartException e) {
            released.run();
            throw new WebServerException("Unable to start Penstock: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            released.run();
            throw e;
        } finally {
            thread.setContextClassLoader(outer);
        }
    }

    private ServerKeys ofBoot(Penstock.Builder builder) {
        ServerKeys all = new ServerKeys();
        Compression compression = getCompression();
        if (compression != null && compression.getEnabled()) {
            compress(compression, all);
        }
        if (forwarding == Forwarding.USED) {
            all.set("trusted-proxies", PRIVATE_NETWORKS, "server.forward-headers-strategy");
        }
        Ssl ssl = getSsl();
        if (Ssl.isEnabled(ssl)) {
            builder.tls(BundleIdentity.of(ssl, getSslBundle(), getServerNameSslBundles(), getSslBundles()));
        }
        Http2 http2 = getHttp2();
        boolean enabled = http2 != null && http2.isEnabled();
        all.set("http2", enabled ? "on" : "off", "server.http2.enabled");
        all.set("h2c", enabled && !Ssl.isEnabled(ssl) ? "on" : "off", "server.http2.enabled");
        return all;
    }

    private static void compress(Compression compression, ServerKeys all) {
        all.set("compression", "on", "server.compression.enabled");
        all.set(
                "compression-min-size",
                Long.toString(compression.getMinResponseSize().toBytes()),
                "server.compression.min-response-size");
        all.set("compression-types", String.join(", ", compression.getAllMimeTypes()), "server.compression.mime-types");
        String[] agents = compression.getExcludedUserAgents();
        if (agents != null && agents.length > 0) {
            all.set(
                    "compression-excluded-agents",
                    String.join(", ", agents),
                    "server.compression.excluded-user-agents");
        }
    }

    /** Sets the port and the address from Boot's properties, if the operator has not configured listeners. */
    private void listen(ServerKeys all) {
        if (all.get("listen") == null || "none".equals(all.get("listen"))) {
            all.set("port", Integer.toString(Math.max(getPort(), 0)), "server.port");
            InetAddress address = getAddress();
            if (address != null) {
                all.set("host", address.getHostAddress(), "server.address");
            }
        }
    }
}
