package io.penstock.websocket;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.websocket.OnMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits for the memory of clients' messages. Without limits, a client could fill the heap.
 *
 * @param message the most bytes of a whole message, if the endpoint does not declare a limit ({@link OnMessage#maxMessageSize}). A longer
 *     message ends the connection with the close code 1009
 * @param unfinished the most bytes of all unfinished messages of the application; beyond this limit, the connection with the oldest message
 *     is closed
 */
record MessageBounds(int message, long unfinished) {
    /** The context's init parameter for {@link #message()}. */
    static final String MAX_MESSAGE = "penstock.websocket.max-message";

    /** The context's init parameter for {@link #unfinished()}. */
    static final String UNFINISHED = "penstock.websocket.unfinished-messages";

    static final int DEFAULT_MESSAGE = 64 * 1024;

    /** By default, an eighth of the heap is the limit for unfinished messages. */
    private static final int SHARE_OF_HEAP = 8;

    private static final Logger LOG = LoggerFactory.getLogger(MessageBounds.class);

    /** @throws ServletException if an init parameter is not a positive number */
    static MessageBounds of(ServletContext context) throws ServletException {
        return new MessageBounds(
                (int) number(context, MAX_MESSAGE, DEFAULT_MESSAGE, Integer.MAX_VALUE),
                number(context, UNFINISHED, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, Long.MAX_VALUE));
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
}
