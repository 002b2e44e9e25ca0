package io.penstock.websocket;

import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;

/** An endpoint that answers each message with the name of the authenticated user. */
@ServerEndpoint("/members/who")
public class UserEndpoint {

    @OnMessage
    public String who(String text, Session session) {
        return session.getUserPrincipal().getName();
    }
}
