package io.penstock.sample.chat;

import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.Session;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/** Sends messages over the WebSocket session of a guest. */
final class SessionOutput implements Output {
    private static final Logger LOG = System.getLogger(SessionOutput.class.getName());
    private static final long MAX_MILLIS = 10_000;

    private final Session session;

    SessionOutput(Session session) {
        this.session = session;
        session.getAsyncRemote().setSendTimeout(MAX_MILLIS);
    }

    @Override
    public void send(String message, Consumer<Boolean> then) {
        try {
            session.getAsyncRemote().sendText(message, result -> then.accept(result.isOK()));
        } catch (IllegalStateException ended) {
            LOG.log(Level.DEBUG, "A guest had gone already", ended);
            then.accept(false);
        }
    }

    @Override
    public void close() {
        try {
            session.close(new CloseReason(CloseCodes.VIOLATED_POLICY, "Too many messages wait"));
        } catch (IOException | IllegalStateException gone) {
            LOG.log(Level.DEBUG, "A guest had gone already", gone);
        }
    }
}
