package io.penstock.websocket;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/** Accepts longer messages than other endpoints. */
@ServerEndpoint("/roomy")
public class RoomyEndpoint {

    @OnMessage(maxMessageSize = 500_000)
    public String text(String text) {
        return "heard " + text.length();
    }
}
