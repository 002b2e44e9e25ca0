package io.penstock.tls;

import io.penstock.events.CloseCause;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import javax.net.ssl.SSLException;

/** Finds the cause of a connection's close after a failure of TLS. */
final class TlsFailure {
    private static final int MAX = 160;

    private TlsFailure() {}

    /**
     * @param reason the reason of the close if TLS itself has failed
     * @return the cause of the close. If the failure is not an {@link SSLException}, this is the result of {@link
     *     ConnectionClosed#of(Throwable)}
     */
    static ConnectionClosed of(IOException failure, CloseCause reason) {
        return failure instanceof SSLException
                ? new ConnectionClosed(reason, detail(failure))
                : ConnectionClosed.of(failure);
    }

    /**
     * Returns the message of the engine as one short line of visible characters. This is necessary because the message can contain bytes of
     * a client.
     */
    private static String detail(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        String visible = message.replaceAll("[^ -~]", "?");
        return visible.length() <= MAX ? visible : visible.substring(0, MAX);
    }
}
