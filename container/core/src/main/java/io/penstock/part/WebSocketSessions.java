package io.penstock.part;

import io.penstock.events.WebSocketEnd;
import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket sessions of one server, as the part that has them reports them. The server limits their number, and shows them to its
 * operator.
 *
 * <p>Thread: any. No method waits.
 */
public interface WebSocketSessions {

    /** The servlet context of an application, as initialisers, filters and servlets of a part get it. */
    interface Context extends ServletContext {

        /** The location of the application on its server, for operators: {@code /} for the root. */
        String name();

        /** The sessions of all applications of the server. */
        WebSocketSessions webSockets();
    }

    /** One session, from its handshake to the end of its connection. Thread: any. */
    interface Session {

        /** The application and its endpoint, such as {@code /shop/chat/{room}}. Sessions with equal names count together. */
        String endpoint();

        /** The numeric address of the client; empty if it has none. */
        String address();

        /** The name of the user who is logged in; null for none. */
        @Nullable
        String user();

        /** The bytes that wait for the client, in memory and on disk. */
        long queuedBytes();
    }

    /**
     * Why a session is refused.
     *
     * @param status the status of the answer to the handshake
     * @param limit the name of the limit, for a log
     */
    record Refusal(int status, String limit) {}

    /** Adds a session before its handshake is answered. Returns null, or why there is no place for the session. */
    @Nullable
    Refusal enter(Session session);

    /** Removes a session. Only the first call has an effect. */
    void leave(Session session, WebSocketEnd cause);
}
