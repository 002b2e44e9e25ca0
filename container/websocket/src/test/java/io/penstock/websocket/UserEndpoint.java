package io.penstock.websocket;

import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;

/** Reports the name of the user of its client. */
@ServerEndpoint("/members/who")
public class UserEndpoint {

    @OnMessage
    public String who(String text, Session session) {
        return session.getUserPrincipal().getName();
    }
}
