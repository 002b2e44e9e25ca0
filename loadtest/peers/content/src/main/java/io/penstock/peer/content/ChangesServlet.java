package io.penstock.peer.content;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Changes a session that parallel requests share, in three ways. {@code ?client=N&value=V} makes three changes. It sets the attribute
 * {@code client-N} to V. Under a lock of this JVM, it adds one to the attribute {@code counter} and sets the attribute again. It adds one
 * to the {@link Tally} {@code in-place} without setting the attribute again. A request without a query creates the session and its counters
 * if they do not exist, and changes nothing else. The response to both kinds of requests contains the session's attributes, one {@code
 * name=value} per line.
 */
public final class ChangesServlet extends CountedServlet {
    private static final long serialVersionUID = 1L;
    private static final String COUNTER = "counter";
    private static final String IN_PLACE = "in-place";
    private static final Object LOCK = new Object();

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession();
        if (request.getQueryString() == null) {
            if (session.getAttribute(COUNTER) == null) {
                session.setAttribute(COUNTER, 0);
                session.setAttribute(IN_PLACE, new Tally());
            }
        } else {
            long client = parameter(request, response, "client");
            long value = parameter(request, response, "value");
            if (client < 0 || value < 0) {
                return;
            }
            session.setAttribute("client-" + client, (int) value);
            synchronized (LOCK) {
                session.setAttribute(COUNTER, (Integer) session.getAttribute(COUNTER) + 1);
            }
            ((Tally) session.getAttribute(IN_PLACE)).increment();
        }
        TreeMap<String, Object> all = new TreeMap<>();
        Collections.list(session.getAttributeNames()).forEach(name -> all.put(name, session.getAttribute(name)));
        byte[] text = all.entrySet().stream()
                .map(attribute -> attribute.getKey() + "=" + attribute.getValue() + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.US_ASCII);
        response.setContentType("text/plain");
        response.setContentLength(text.length);
        response.getOutputStream().write(text);
    }
}
