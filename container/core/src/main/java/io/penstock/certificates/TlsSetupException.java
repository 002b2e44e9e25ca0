package io.penstock.certificates;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the certificates, keys or rules of TLS cannot be used. The message is one line, which names the file or the configuration key.
 */
public final class TlsSetupException extends Exception {
    private static final long serialVersionUID = 1L;

    TlsSetupException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** @param source the file or the key store entry with the problem */
    static TlsSetupException of(Object source, String problem) {
        return of(source, problem, null);
    }

    static TlsSetupException of(Object source, String problem, @Nullable Throwable cause) {
        return new TlsSetupException(source + ": " + problem, cause);
    }
}
