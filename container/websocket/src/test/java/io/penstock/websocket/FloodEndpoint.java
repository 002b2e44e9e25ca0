package io.penstock.websocket;

import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends the requested number of messages. After each message, the endpoint waits until the message is sent. */
@ServerEndpoint("/flood")
public class FloodEndpoint {
    static final int MESSAGE = 32 * 1024;

    @OnMessage
    public void text(String count, Session session) throws IOException {
        for (int i = 0; i < Integer.parseInt(count); i++) {
            session.getBasicRemote().sendBinary(ByteBuffer.allocate(MESSAGE));
        }
    }
}
