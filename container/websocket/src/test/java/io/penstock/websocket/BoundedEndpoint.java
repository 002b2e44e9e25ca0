package io.penstock.websocket;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/** An endpoint with a maximum message size of 10. */
@ServerEndpoint("/bounded")
public class BoundedEndpoint {

    @OnMessage(maxMessageSize = 10)
    public String text(String text) {
        return "heard " + text.length();
    }
}
