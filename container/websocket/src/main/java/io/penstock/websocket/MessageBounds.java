package io.penstock.websocket;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.websocket.OnMessage;
import java.lang.reflect.Method;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the memory of clients' messages. The engine keeps frames on the heap, and also each message that a handler wants whole. Without a
 * limit a client could fill the heap.
 *
 * @param message most bytes, or characters, of a message that an endpoint takes whole and for which it declares no limit of its own. A
 * longer message ends the connection with 1009. This limit is never less than one that an endpoint declares ({@link
 * OnMessage#maxMessageSize}): for a message in fragments, the engine uses the smaller of the two limits
 * @param frame bytes of one frame with its head
 * @param unfinished most bytes of all unfinished messages of the application; beyond this the connection of the oldest message is closed
 */
record MessageBounds(int message, int frame, long unfinished) {
    /** The context's init parameter for {@link #message()}. */
    static final String MAX_MESSAGE = "penstock.websocket.max-message";

    /** The context's init parameter for {@link #unfinished()}. */
    static final String UNFINISHED = "penstock.websocket.unfinished-messages";

    static final int DEFAULT_MESSAGE = 64 * 1024;

    /** The default fraction of the heap for unfinished messages. */
    private static final int SHARE_OF_HEAP = 8;

    /** The bytes of the longest head of a frame (RFC 6455 section 5.2). */
    private static final int FRAME_HEAD = 14;

    private static final int BYTES_OF_CHARACTER = 3;
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 16;
    private static final Logger LOG = LoggerFactory.getLogger(MessageBounds.class);

    /** @throws ServletException if an init parameter is not a positive number */
    static MessageBounds of(ServletContext context, Set<Class<?>> types) throws ServletException {
        long largest = number(context, MAX_MESSAGE, DEFAULT_MESSAGE, Integer.MAX_VALUE);
        for (Class<?> type : types) {
            largest = Math.max(largest, declared(type));
        }
        long frame = largest * BYTES_OF_CHARACTER + FRAME_HEAD;
        long unfinished = number(context, UNFINISHED, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, Long.MAX_VALUE);
        return new MessageBounds(atMost(largest), atMost(frame), unfinished);
    }

    private static int atMost(long bytes) {
        return (int) Math.min(LARGEST_ARRAY, bytes);
    }

    private static long number(ServletContext context, String name, long otherwise, long most) throws ServletException {
        String given = context.getInitParameter(name);
        if (given == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(given.strip());
            if (number > 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            LOG.debug("Not a number: {}", e.getMessage());
        }
        throw new ServletException(name + " must be a positive number of bytes, not '" + given + "'");
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
