package io.penstock.standalone;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/** Says what it hears. */
@ServerEndpoint("/echo")
public class EchoEndpoint {

    @OnMessage
    public String echo(String text) {
        return text;
    }
}
