package io.penstock.websocket;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.websocket.OnMessage;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client's messages may take of memory. The engine keeps a frame, and a message that a handler wants whole, on the heap; without a
 * bound a client could fill it.
 *
 * @param message bytes, or characters, of a message that an endpoint takes whole, and for which it declares no bound of its own; one that
 *     is longer ends the connection with 1009. Never less than what another endpoint declares by {@link OnMessage#maxMessageSize}, since
 *     the engine takes the smaller of both where a message comes in fragments
 * @param frame bytes of one frame with its head
 */
record MessageBounds(int message, int frame) {
    /** The context's init parameter for {@link #message()}. */
    static final String MAX_MESSAGE = "penstock.websocket.max-message";

    static final int DEFAULT_MESSAGE = 64 * 1024;

    /** The longest head of a frame (RFC 6455 section 5.2), and characters of up to three bytes. */
    private static final int FRAME_HEAD = 14;

    private static final int BYTES_OF_CHARACTER = 3;
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 16;
    private static final Logger LOG = LoggerFactory.getLogger(MessageBounds.class);

    /** @throws ServletException if the init parameter is no positive number */
    static MessageBounds of(ServletContext context, Set<Class<?>> types) throws ServletException {
        long largest = message(context.getInitParameter(MAX_MESSAGE));
        for (Class<?> type : types) {
            largest = Math.max(largest, declared(type));
        }
        long frame = largest * BYTES_OF_CHARACTER + FRAME_HEAD;
        return new MessageBounds(atMost(largest), atMost(frame));
    }

    private static int atMost(long bytes) {
        return (int) Math.min(LARGEST_ARRAY, bytes);
    }

    private static int message(@Nullable String given) throws ServletException {
        if (given == null) {
            return DEFAULT_MESSAGE;
        }
        try {
            int message = Integer.parseInt(given.strip());
            if (message > 0) {
                return message;
            }
        } catch (NumberFormatException e) {
            LOG.debug("Not a number: {}", e.getMessage());
        }
        throw new ServletException(MAX_MESSAGE + " must be a positive number of bytes, not '" + given + "'");
    }

    private static long declared(Class<?> endpoint) {
        long largest = 0;
        for (Method method : endpoint.getMethods()) {
            OnMessage message = method.getAnnotation(OnMessage.class);
            if (message != null) {
                largest = Math.max(largest, message.maxMessageSize());
            }
        }
        return largest;
    }
}
