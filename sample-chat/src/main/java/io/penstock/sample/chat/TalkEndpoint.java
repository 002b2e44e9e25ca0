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
 * The server's end of each connection. A message is a word, a space and the rest: {@code you 2} is the guest's own number,
 * {@code present 3} the number of guests, {@code said 2 Hello} a message of guest 2. Guests send only text.
 */
@ServerEndpoint("/talk")
public class TalkEndpoint {
    private static final Logger LOG = System.getLogger(TalkEndpoint.class.getName());
    private static final int MOST_BYTES = 4096;

    /** One room for all connections: a container makes an endpoint for each. */
    private static final Room ROOM = new Room();

    private Guest guest;

    @OnOpen
    public void opened(Session session) throws IOException {
        session.setMaxTextMessageBufferSize(MOST_BYTES);
        guest = ROOM.enter(new SessionOutput(session));
        if (guest == null) {
            session.close(new CloseReason(CloseCodes.TRY_AGAIN_LATER, "The room is full"));
        }
    }

    @OnMessage
    public void said(String text) {
        if (guest != null) {
            ROOM.say(guest, text);
        }
    }

    @OnClose
    public void closed() {
        if (guest != null) {
            ROOM.leave(guest);
        }
    }

    /** The container closes the connection, and calls {@link #closed}. */
    @OnError
    public void failed(Throwable cause) {
        LOG.log(Level.DEBUG, "A guest's connection has failed", cause);
    }
}
