package io.penstock.certificates;

import io.penstock.limits.Switch;
import io.penstock.limits.Tls;
import io.penstock.limits.Tls.ClientAuth;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * One version of the server's certificates, keys and TLS rules. This class makes the engines for this version. A client cannot resume a TLS
 * session of an earlier version.
 *
 * <p>Thread: any; this class is immutable.
 */
final class TlsSetup {
    private final List<Identity> identities;
    private final SSLContext context;

    /** One set of TLS parameters for each value of {@link ClientAuth}. Each engine copies its parameters, so these objects never change. */
    private final Map<ClientAuth, SSLParameters> parameters;

    private TlsSetup(List<Identity> identities, SSLContext context, Map<ClientAuth, SSLParameters> parameters) {
        this.identities = identities;
        this.context = context;
        this.parameters = parameters;
    }

    static TlsSetup of(Tls tls, TlsProvider provider, List<Identity> identities, TrustManager[] clients)
            throws TlsSetupException {
        try {
            SSLContext context = tls.ocspStapling() == Switch.ON ? OcspStapling.context(provider) : provider.context();
            context.init(new KeyManager[] {new ServerKeys(identities)}, clients, null);
            String[] suites = CipherSuites.of(tls, context, identities).toArray(String[]::new);
            String[] protocols = tls.protocols().stream().map(Tls.Protocol::id).toArray(String[]::new);
            Map<ClientAuth, SSLParameters> parameters = new EnumMap<>(ClientAuth.class);
            for (ClientAuth auth : ClientAuth.values()) {
                parameters.put(auth, parameters(suites, protocols, auth));
            }
            return new TlsSetup(List.copyOf(identities), context, parameters);
        } catch (GeneralSecurityException e) {
            throw new TlsSetupException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static SSLParameters parameters(String[] suites, String[] protocols, ClientAuth auth) {
        SSLParameters parameters = new SSLParameters(suites, protocols);
        parameters.setUseCipherSuitesOrder(true);
        switch (auth) {
            case NONE -> parameters.setNeedClientAuth(false);
            case WANT -> parameters.setWantClientAuth(true);
            case NEED -> parameters.setNeedClientAuth(true);
        }
        return parameters;
    }

    /** Makes an engine for one connection. */
    SSLEngine engine(ClientAuth auth) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setSSLParameters(parameters.get(auth));
        return engine;
    }

    List<Identity> identities() {
        return identities;
    }

    /** The earliest time at which a certificate expires. */
    Instant expires() {
        return identities.stream()
                .map(Identity::expires)
                .min(Instant::compareTo)
                .orElseThrow();
    }
}
