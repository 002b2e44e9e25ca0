package io.penstock.websocket;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/** An endpoint that accepts longer messages than the other endpoints of the tests. */
@ServerEndpoint("/roomy")
public class RoomyEndpoint {

    @OnMessage(maxMessageSize = 500_000)
    public String text(String text) {
        return "heard " + text.length();
    }
}
