package io.penstock.websocket.application;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import jakarta.websocket.EncodeException;
import jakarta.websocket.Encoder;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;

/** Leaves something of its application at each thread, session and engine that it meets, and takes nothing back. */
@ServerEndpoint(value = "/leaving", encoders = LeavingEndpoint.OwnEncoder.class)
public class LeavingEndpoint {
    /** Where the system's properties have the list of class loaders to which each deployment adds its own. */
    public static final String LOADERS = "penstock.test.loaders";

    private static final ThreadLocal<Own> LOCAL = new ThreadLocal<>();

    /** Something of a class of the application. */
    public static class Own {
        private final byte[] ballast = new byte[64 * 1024];

        int size() {
            return ballast.length;
        }
    }

    /** Makes a text of it. */
    public static class OwnEncoder implements Encoder.Text<Own> {
        @Override
        public String encode(Own own) {
            return "own " + own.size();
        }
    }

    /**
     * Sets how long sessions may be silent, so that the engine holds each for that time, before there are any: a session that is made
     * without such a time may be closed as it is given one (Tyrus 2.2.0 has then asked already whether that has passed, and may get the
     * answer late).
     */
    @WebListener
    public static class Patience implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            ServerContainer engine =
                    (ServerContainer) event.getServletContext().getAttribute(ServerContainer.class.getName());
            engine.setDefaultMaxSessionIdleTimeout(3_600_000);
        }
    }

    @OnOpen
    public void open(Session session) {
        @SuppressWarnings("unchecked")
        List<WeakReference<ClassLoader>> loaders =
                (List<WeakReference<ClassLoader>>) System.getProperties().get(LOADERS);
        loaders.add(new WeakReference<>(LeavingEndpoint.class.getClassLoader()));
        session.getUserProperties().put("own", new Own());
    }

    @OnMessage
    public void leave(String text, Session session) throws IOException, EncodeException {
        LOCAL.set(new Own());
        session.getBasicRemote().sendObject(LOCAL.get());
    }
}
