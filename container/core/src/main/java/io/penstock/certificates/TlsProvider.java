package io.penstock.certificates;

import io.penstock.limits.Key;
import io.penstock.limits.Tls;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS implementation of a server: the implementation of the JDK, or a security provider that the configuration names. A provider can be
 * of two kinds. A JSSE provider implements TLS, and only this server uses it. A JCA provider has only algorithms, and the TLS of the JDK
 * uses these algorithms. The JDK searches the providers of the process in order, so this class makes a JCA provider the first one. This
 * change affects all code in the process.
 *
 * <p>Thread: any.
 */
final class TlsProvider {
    private static final Logger LOG = LoggerFactory.getLogger(TlsProvider.class);
    private static final String CONTEXT = "SSLContext";
    private static final String PROTOCOLS = "TLS";

    /** Algorithms that TLS uses. A JCA provider with none of these algorithms is refused, because TLS would not use the provider. */
    private static final List<Algorithm> ALGORITHMS = List.of(
            new Algorithm("Cipher", "AES/GCM/NoPadding"),
            new Algorithm("Cipher", "ChaCha20-Poly1305"),
            new Algorithm("KeyAgreement", "X25519"),
            new Algorithm("KeyAgreement", "XDH"),
            new Algorithm("KeyAgreement", "ECDH"),
            new Algorithm("Signature", "SHA256withECDSA"),
            new Algorithm("Signature", "RSASSA-PSS"),
            new Algorithm("Mac", "HmacSHA256"),
            new Algorithm("MessageDigest", "SHA-256"));

    private final @Nullable Provider jsse;

    private record Algorithm(String type, String name) {
        boolean isIn(Provider provider) {
            return provider.getService(type, name) != null;
        }
    }

    private TlsProvider(@Nullable Provider jsse) {
        this.jsse = jsse;
    }

    /**
     * Finds a provider. This method must be called before keys are read, because a key belongs to the provider that made the key.
     *
     * @param name the name of a provider, the name of a provider's class, or {@link Tls#JDK}
     * @throws TlsSetupException if no provider has this name, or if the provider has no algorithm that TLS uses
     */
    static TlsProvider named(String name) throws TlsSetupException {
        if (name.equals(Tls.JDK)) {
            return new TlsProvider(null);
        }
        Provider provider = find(name);
        if (provider.getService(CONTEXT, PROTOCOLS) != null) {
            LOG.info("TLS uses the implementation of {}", provider);
            return new TlsProvider(provider);
        }
        List<String> algorithms = ALGORITHMS.stream()
                .filter(algorithm -> algorithm.isIn(provider))
                .map(Algorithm::name)
                .toList();
        if (algorithms.isEmpty()) {
            throw refusal(
                    name,
                    "offers no algorithm of TLS; its native library may be missing, or be made for another system",
                    null);
        }
        putFirst(name, provider);
        LOG.info(
                "{} is now the first security provider of this process. TLS uses its algorithms: {}",
                provider,
                String.join(", ", algorithms));
        return new TlsProvider(null);
    }

    private static Provider find(String name) throws TlsSetupException {
        for (Provider installed : Security.getProviders()) {
            if (isCalled(installed.getName(), installed.getClass(), name)) {
                return installed;
            }
        }
        try {
            for (ServiceLoader.Provider<Provider> found :
                    ServiceLoader.load(Provider.class, loader()).stream().toList()) {
                // Only an instance can return the name of its provider. So each provider is instantiated unless its
                // class has the configured name.
                if (found.type().getName().equals(name) || found.get().getName().equals(name)) {
                    return found.get();
                }
            }
            Object made = Class.forName(name, true, loader()).getConstructor().newInstance();
            if (made instanceof Provider provider) {
                return provider;
            }
            throw refusal(name, "is not a security provider", null);
        } catch (ClassNotFoundException e) {
            throw refusal(name, "is neither the name nor the class of a security provider on the class path", e);
        } catch (ReflectiveOperationException | LinkageError | ServiceConfigurationError e) {
            throw refusal(name, "cannot be used: " + root(e), e);
        }
    }

    private static boolean isCalled(String known, Class<?> type, String name) {
        return known.equals(name) || type.getName().equals(name);
    }

    private static @Nullable ClassLoader loader() {
        return TlsProvider.class.getClassLoader();
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static synchronized void putFirst(String name, Provider provider) throws TlsSetupException {
        if (Security.getProviders()[0].getName().equals(provider.getName())) {
            return;
        }
        Security.removeProvider(provider.getName());
        if (Security.insertProviderAt(provider, 1) != 1) {
            throw refusal(name, "cannot become the first security provider of this process", null);
        }
    }

    /** Whether the JDK implements TLS. The algorithms can be those of another provider. */
    boolean isJdk() {
        return jsse == null;
    }

    /** Makes a new context without any settings. */
    SSLContext context() throws NoSuchAlgorithmException {
        return jsse == null ? SSLContext.getInstance(PROTOCOLS) : SSLContext.getInstance(PROTOCOLS, jsse);
    }

    private static TlsSetupException refusal(String name, String problem, @Nullable Throwable cause) {
        return new TlsSetupException(Key.TLS_PROVIDER.id() + ": '" + name + "' " + problem, cause);
    }
}
