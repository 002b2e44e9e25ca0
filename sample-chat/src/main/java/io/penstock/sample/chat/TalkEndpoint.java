package io.penstock.sample.chat;

import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The WebSocket endpoint of each connection. A message to a guest begins with a word. The message {@code you 2}
 * contains the guest's own number. The message {@code present 3} contains the number of guests. The message {@code said
 * 2 Hello} is a text of guest 2. Guests themselves send plain text without such a word.
 */
@ServerEndpoint("/talk")
public class TalkEndpoint {
    private static final Logger LOG = System.getLogger(TalkEndpoint.class.getName());
    private static final int MAX_BYTES = 4096;

    /** The room of all connections. It is static, because a container creates an endpoint for each connection. */
    private static final Room ROOM = new Room();

    private Output output;

    @OnOpen
    public void opened(Session session) throws IOException {
        session.setMaxTextMessageBufferSize(MAX_BYTES);
        // A guest who has gone already leaves during the call of enter, by which the container calls closed().
        output = new SessionOutput(session);
        if (!ROOM.enter(output)) {
            session.close(new CloseReason(CloseCodes.TRY_AGAIN_LATER, "The room is full"));
        }
    }

    @OnMessage
    public void said(String text) {
        ROOM.say(output, text);
    }

    @OnClose
    public void closed() {
        ROOM.leave(output);
    }

    /** Logs the failure. The container then closes the connection, and calls {@link #closed}. */
    @OnError
    public void failed(Throwable cause) {
        LOG.log(Level.DEBUG, "A guest's connection has failed", cause);
    }
}
