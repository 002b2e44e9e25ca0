package io.penstock.websocket;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/** An endpoint that accepts text messages of at most 10 characters. */
@ServerEndpoint("/bounded")
public class BoundedEndpoint {

    @OnMessage(maxMessageSize = 10)
    public String text(String text) {
        return "heard " + text.length();
    }
}
