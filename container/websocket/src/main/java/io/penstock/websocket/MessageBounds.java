package io.penstock.websocket;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.websocket.OnMessage;
import java.lang.reflect.Method;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits for the memory of clients' messages. The WebSocket engine keeps frames on the heap. If a handler takes whole messages, the engine
 * also keeps the parts of a message on the heap. Without limits, a client could fill the heap.
 *
 * @param message the most bytes or characters of a whole message, if the endpoint does not declare a limit. A longer message ends the
 *     connection with the close code 1009. For a message in fragments, the engine compares this limit with the limit of the endpoint
 *     ({@link OnMessage#maxMessageSize}), and uses the smaller limit. Therefore {@link #of} makes this limit at least as large as the
 *     largest limit that an endpoint declares
 * @param frame the most bytes of one frame with its head
 * @param unfinished the most bytes of all unfinished messages of the application; beyond this limit, the connection with the oldest message
 *     is closed
 */
record MessageBounds(int message, int frame, long unfinished) {
    /** The context's init parameter for {@link #message()}. */
    static final String MAX_MESSAGE = "penstock.websocket.max-message";

    /** The context's init parameter for {@link #unfinished()}. */
    static final String UNFINISHED = "penstock.websocket.unfinished-messages";

    static final int DEFAULT_MESSAGE = 64 * 1024;

    /** By default, an eighth of the heap is the limit for unfinished messages. */
    private static final int SHARE_OF_HEAP = 8;

    /** The most bytes of a frame's head (RFC 6455 section 5.2). */
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
