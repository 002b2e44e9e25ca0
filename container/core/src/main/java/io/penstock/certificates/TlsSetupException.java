package io.penstock.certificates;

import io.penstock.limits.Key;
import io.penstock.limits.Tls;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the certificates, keys or rules of TLS cannot be used. The message is one line, which names the file or the configuration key.
 */
public final class TlsSetupException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String source;

    TlsSetupException(String message, @Nullable Throwable cause) {
        this("", message, cause);
    }

    private TlsSetupException(String source, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.source = source;
    }

    /** @param source the file or the key store entry with the problem */
    static TlsSetupException of(Object source, String problem) {
        return of(source, problem, null);
    }

    static TlsSetupException of(Object source, String problem, @Nullable Throwable cause) {
        return new TlsSetupException(source.toString(), source + ": " + problem, cause);
    }

    /** The message, after the configuration key of the file with the problem: {@code tls-cert: shop.pem: no such file}. */
    public String withKey(Tls tls) {
        Key key = tls.keyOf(source);
        return (key == null ? "" : key.id() + ": ") + getMessage();
    }
}
