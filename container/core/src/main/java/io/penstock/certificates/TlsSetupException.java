package io.penstock.certificates;

import org.jspecify.annotations.Nullable;

/** The certificates, keys or rules of TLS cannot be used. The message is one line that names the file or the configuration key. */
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
