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
     * @return the cause; the failure's own cause if it is not a failure of TLS
     */
    static ConnectionClosed of(IOException failure, CloseCause reason) {
        return failure instanceof SSLException
                ? new ConnectionClosed(reason, detail(failure))
                : ConnectionClosed.of(failure);
    }

    /** The engine's message as one short line of visible characters, since it may quote bytes of a client. */
    private static String detail(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        String visible = message.replaceAll("[^ -~]", "?");
        return visible.length() <= MOST ? visible : visible.substring(0, MOST);
    }
}
