package io.penstock.websocket;

import io.penstock.part.UpgradedConnection;
import jakarta.servlet.http.WebConnection;
import jakarta.websocket.CloseReason;
import java.io.EOFException;
import org.glassfish.tyrus.servlet.TyrusHttpUpgradeHandler;
import org.glassfish.tyrus.spi.Connection;
import org.glassfish.tyrus.spi.WebSocketEngine;
import org.glassfish.tyrus.spi.Writer;
import org.jspecify.annotations.Nullable;

/**
 * The engine's handler of one connection, with the close codes of RFC 6455 section 7.4.1 where the stream ends without a close frame: 1001 if
 * the server or the application goes away, which the client is told too; 1006 for the endpoint if the client has gone without a word. The
 * engine takes both for a normal end.
 *
 * <p>Thread: workers, never two at once.
 */
public final class EndpointConnection extends TyrusHttpUpgradeHandler {
    private @Nullable WebConnection connection;
    private @Nullable Connection engine;

    @Override
    public void preInit(WebSocketEngine.UpgradeInfo info, Writer writer, boolean authenticated) {
        super.preInit(new Noted(info), writer, authenticated);
    }

    @Override
    public void init(WebConnection begun) {
        connection = begun;
        super.init(begun);
    }

    @Override
    public void onAllDataRead() {
        Connection open = engine;
        if (open == null || !isLeaving()) {
            super.onError(new EOFException("The stream has ended without a close frame"));
        } else {
            open.close(new CloseReason(CloseReason.CloseCodes.GOING_AWAY, null)); // no effect if it is closed
        }
    }

    private boolean isLeaving() {
        return connection instanceof UpgradedConnection ours && ours.isLeaving();
    }

    /** Notes the engine's side of the connection as it is made. */
    private final class Noted implements WebSocketEngine.UpgradeInfo {
        private final WebSocketEngine.UpgradeInfo info;

        Noted(WebSocketEngine.UpgradeInfo info) {
            this.info = info;
        }

        @Override
        public WebSocketEngine.UpgradeStatus getStatus() {
            return info.getStatus();
        }

        @Override
        public Connection createConnection(Writer writer, Connection.CloseListener listener) {
            Connection made = info.createConnection(writer, listener);
            engine = made;
            return made;
        }
    }
}
