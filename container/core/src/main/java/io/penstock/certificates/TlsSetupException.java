package io.penstock.certificates;

import org.jspecify.annotations.Nullable;

/** Certificates, keys or rules of TLS that cannot be used. The message is one line with the file, or the key of the configuration. */
public final class TlsSetupException extends Exception {
    private static final long serialVersionUID = 1L;

    TlsSetupException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** @param source the file, or an entry of a key store */
    static TlsSetupException of(Object source, String problem) {
        return of(source, problem, null);
    }

    static TlsSetupException of(Object source, String problem, @Nullable Throwable cause) {
        return new TlsSetupException(source + ": " + problem, cause);
    }
}
