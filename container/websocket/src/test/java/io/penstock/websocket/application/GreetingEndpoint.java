package io.penstock.websocket.application;

import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;

/** An endpoint that sends a greeting if the context class loader of the thread is the class loader of the application. */
@ServerEndpoint("/greeting")
public class GreetingEndpoint {

    @OnMessage
    public String greet(String name, Session session) {
        boolean own =
                Thread.currentThread().getContextClassLoader() == getClass().getClassLoader();
        String path = session.getRequestURI().getPath();
        return own ? "Hello, " + name + ", from " + path.substring(0, path.lastIndexOf('/')) : "Where am I?";
    }
}
