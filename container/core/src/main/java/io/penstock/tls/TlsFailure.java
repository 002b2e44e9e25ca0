package io.penstock.tls;

import io.penstock.events.CloseCause;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import javax.net.ssl.SSLException;

/** The cause of a close for a failure of TLS. */
final class TlsFailure {
    private static final int MOST = 160;

    private TlsFailure() {}

    /**
     * @param reason if TLS itself has failed
     * @return the cause; that of the failure itself if it is none of TLS
     */
    static ConnectionClosed of(IOException failure, CloseCause reason) {
        return failure instanceof SSLException
                ? new ConnectionClosed(reason, detail(failure))
                : ConnectionClosed.of(failure);
    }

    /** The message of the engine, which may quote what a client sent: in one line, of visible characters, and short. */
    private static String detail(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        String visible = message.replaceAll("[^ -~]", "?");
        return visible.length() <= MOST ? visible : visible.substring(0, MOST);
    }
}
