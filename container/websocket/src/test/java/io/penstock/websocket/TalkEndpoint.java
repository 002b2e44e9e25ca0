package io.penstock.websocket;

import jakarta.websocket.CloseReason;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.PongMessage;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** An endpoint that sends each message back. Some messages are commands, for example {@code close 4000}. */
@ServerEndpoint(
        value = "/talk/{room}",
        subprotocols = {"talk.v2", "talk.v1"})
public class TalkEndpoint {
    /** The close codes and the errors of all sessions of this endpoint. */
    static final BlockingQueue<String> ENDS = new LinkedBlockingQueue<>();

    @OnMessage
    public String text(String text, Session session, @PathParam("room") String room) throws IOException {
        if (text.startsWith("close ")) {
            int code = Integer.parseInt(text.substring(6));
            session.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(code), "as you wish"));
            return null;
        }
        if (text.equals("idle")) {
            session.setMaxIdleTimeout(1);
            return null;
        }
        if (text.startsWith("in parts ")) {
            sendInParts(text.substring(9), session.getBasicRemote());
            return null;
        }
        if (text.equals("ping")) {
            session.getBasicRemote().sendPing(ByteBuffer.wrap("still there?".getBytes(StandardCharsets.US_ASCII)));
            return null;
        }
        return room + ": " + text;
    }

    /** Sends one fragment for each character, and then an empty last fragment. */
    private static void sendInParts(String text, RemoteEndpoint.Basic client) throws IOException {
        for (char c : text.toCharArray()) {
            client.sendText(String.valueOf(c), false);
        }
        client.sendText("", true);
    }

    @OnMessage
    public void pong(PongMessage pong, Session session) throws IOException {
        session.getBasicRemote().sendText("pong " + StandardCharsets.US_ASCII.decode(pong.getApplicationData()));
    }

    @OnMessage
    public ByteBuffer bytes(ByteBuffer bytes) {
        return bytes;
    }

    @OnError
    public void failed(Throwable failure) {
        ENDS.add("error " + failure.getClass().getSimpleName());
    }

    @OnClose
    public void closed(CloseReason reason) {
        ENDS.add("close " + reason.getCloseCode().getCode());
    }
}
