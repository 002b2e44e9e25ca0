package io.penstock.boot;

import io.penstock.part.TlsIdentity;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.web.server.Ssl;
import org.springframework.util.StringUtils;

/**
 * Uses SSL bundles of Boot as the certificates of a server. One bundle is the default, and further bundles are for certain host names.
 * After an update of a bundle, new connections use the updated bundle.
 *
 * <p>Thread: any.
 */
final class BundleIdentity implements TlsIdentity {
    /** The TLS versions of a bundle that does not name TLS versions. */
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final Ssl.@Nullable ClientAuth clientAuth;
    private final Map<String, Rules> ofHosts = new ConcurrentHashMap<>();
    private volatile Rules rules;

    /** The TLS context and the options of a bundle. */
    private record Rules(SSLContext context, SslOptions options) {

        static Rules of(SslBundle bundle) {
            return new Rules(bundle.createSslContext(), bundle.getOptions());
        }
    }

    private BundleIdentity(Ssl.@Nullable ClientAuth clientAuth, SslBundle bundle) {
        this.clientAuth = clientAuth;
        this.rules = Rules.of(bundle);
    }

    /**
     * @param bundle the bundle for all clients that request no host of {@code ofHosts}
     * @param known the registry that reports updates of bundles; null if there is none
     */
    static BundleIdentity of(Ssl ssl, SslBundle bundle, Map<String, SslBundle> ofHosts, @Nullable SslBundles known) {
        BundleIdentity identity = new BundleIdentity(ssl.getClientAuth(), bundle);
        ofHosts.forEach((host, own) -> identity.ofHosts.put(lowerCase(host), Rules.of(own)));
        if (known != null) {
            String name = ssl.getBundle();
            if (StringUtils.hasText(name)) {
                known.addBundleUpdateHandler(name, updated -> identity.rules = Rules.of(updated));
            }
            for (Ssl.ServerNameSslBundle host : ssl.getServerNameBundles()) {
                String key = lowerCase(host.serverName());
                known.addBundleUpdateHandler(host.bundle(), updated -> identity.ofHosts.put(key, Rules.of(updated)));
            }
        }
        return identity;
    }

    private static String lowerCase(String host) {
        return host.toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean nameDecides() {
        return !ofHosts.isEmpty();
    }

    @Override
    public SSLEngine engine(@Nullable String serverName) {
        Rules own = serverName == null ? null : ofHosts.get(lowerCase(serverName));
        return engine(own == null ? rules : own);
    }

    private SSLEngine engine(Rules chosen) {
        SSLEngine engine = chosen.context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        String[] protocols = chosen.options.getEnabledProtocols();
        parameters.setProtocols(protocols == null ? PROTOCOLS : protocols);
        String[] ciphers = chosen.options.getCiphers();
        if (ciphers != null) {
            parameters.setCipherSuites(ciphers);
        }
        parameters.setUseCipherSuitesOrder(true);
        if (clientAuth == Ssl.ClientAuth.NEED) {
            parameters.setNeedClientAuth(true);
        } else if (clientAuth == Ssl.ClientAuth.WANT) {
            parameters.setWantClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }
}
