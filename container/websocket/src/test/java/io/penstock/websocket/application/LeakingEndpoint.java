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

/**
 * An endpoint that stores objects of its application in a thread local, in a WebSocket session, and in the WebSocket engine. The endpoint
 * never removes these objects.
 */
@ServerEndpoint(value = "/leaving", encoders = LeakingEndpoint.OwnEncoder.class)
public class LeakingEndpoint {
    /** The key of a list in the system properties. Each new session adds the class loader of its application to this list. */
    public static final String LOADERS = "penstock.test.loaders";

    private static final ThreadLocal<Own> LOCAL = new ThreadLocal<>();

    /** An object whose class belongs to the application. */
    public static class Own {
        private final byte[] ballast = new byte[64 * 1024];

        int size() {
            return ballast.length;
        }
    }

    /** Converts an {@link Own} object to text. */
    public static class OwnEncoder implements Encoder.Text<Own> {
        @Override
        public String encode(Own own) {
            return "own " + own.size();
        }
    }

    /**
     * Sets the idle timeout of all sessions before the first session begins, so that each session has a timer.
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
        loaders.add(new WeakReference<>(LeakingEndpoint.class.getClassLoader()));
        session.getUserProperties().put("own", new Own());
    }

    @OnMessage
    public void leave(String text, Session session) throws IOException, EncodeException {
        LOCAL.set(new Own());
        session.getBasicRemote().sendObject(LOCAL.get());
    }
}
