package io.penstock.websocket;

import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;

/**
 * The application's endpoint of one session, annotated or programmatic. Exceptions of the application leave these methods unchanged.
 *
 * <p>Thread: one at a time, as {@link WebSocketSession} says.
 */
interface EndpointCallbacks {

    void open(WebSocketSession session, EndpointConfig config) throws Throwable;

    void close(WebSocketSession session, CloseReason reason) throws Throwable;

    /** @return false if the endpoint has no method for errors */
    boolean error(WebSocketSession session, Throwable failure) throws Throwable;

    /** The callbacks of a programmatic endpoint. */
    static EndpointCallbacks of(Endpoint endpoint) {
        return new EndpointCallbacks() {
            @Override
            public void open(WebSocketSession session, EndpointConfig config) {
                endpoint.onOpen(session, config);
            }

            @Override
            public void close(WebSocketSession session, CloseReason reason) {
                endpoint.onClose(session, reason);
            }

            @Override
            public boolean error(WebSocketSession session, Throwable failure) throws NoSuchMethodException {
                endpoint.onError(session, failure);
                return endpoint.getClass()
                                .getMethod("onError", jakarta.websocket.Session.class, Throwable.class)
                                .getDeclaringClass()
                        != Endpoint.class;
            }

            @Override
            public String toString() {
                return endpoint.getClass().getName();
            }
        };
    }
}
