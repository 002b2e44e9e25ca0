package io.penstock.websocket;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/** Takes longer messages than others. */
@ServerEndpoint("/roomy")
public class RoomyEndpoint {

    @OnMessage(maxMessageSize = 500_000)
    public String text(String text) {
        return "heard " + text.length();
    }
}
