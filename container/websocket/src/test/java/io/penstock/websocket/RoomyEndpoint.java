package io.penstock.websocket;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/** An endpoint that accepts long messages: its {@code maxMessageSize} is 500,000. */
@ServerEndpoint("/roomy")
public class RoomyEndpoint {

    @OnMessage(maxMessageSize = 500_000)
    public String text(String text) {
        return "heard " + text.length();
    }
}
