package io.penstock.peer.content;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The servlets of all servers, and their paths. The server's own default servlet handles requests to {@code /files/*}. */
public enum Content {
    HELLO("/hello", HelloServlet::new),
    WORK("/work", WorkServlet::new),
    SLOW_1("/slow/1", WorkServlet::new),
    SLOW_2("/slow/2", WorkServlet::new),
    SLOW_3("/slow/3", WorkServlet::new),
    SLOW_4("/slow/4", WorkServlet::new),
    SLOW_5("/slow/5", WorkServlet::new),
    SLOW_6("/slow/6", WorkServlet::new),
    SLOW_7("/slow/7", WorkServlet::new),
    SLOW_8("/slow/8", WorkServlet::new),
    UPLOAD("/upload", UploadServlet::new),
    ECHO("/echo", EchoServlet::new),
    GENERATED("/generated", GeneratedServlet::new),
    POOLED("/pooled", PooledServlet::new),
    SESSION("/session", SessionServlet::new),
    CHANGES("/changes", ChangesServlet::new);

    private final String path;
    private final Supplier<HttpServlet> maker;

    Content(String path, Supplier<HttpServlet> maker) {
        this.path = path;
        this.maker = maker;
    }

    public String path() {
        return path;
    }

    public HttpServlet newServlet() {
        return maker.get();
    }

    /** The class name of the servlet, for a server that creates servlets by their class names. */
    public String className() {
        return newServlet().getClass().getName();
    }

    /** Responds with 13 bytes of text. The servlet does almost nothing, so the cost of the server is measured. */
    public static final class HelloServlet extends CountedServlet {
        private static final byte[] TEXT = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

        @Override
        void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
            send(response, TEXT);
        }
    }

    /** Reads the request body, and responds with its length in bytes, as text. */
    public static final class UploadServlet extends CountedServlet {
        @Override
        void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] text = Long.toString(Body.read(request)).getBytes(StandardCharsets.US_ASCII);
            send(response, text);
        }
    }

    /** Sends the request body back, piece by piece while it is being read. The request must have the field Content-Length. */
    public static final class EchoServlet extends CountedServlet {
        @Override
        void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int length = request.getContentLength();
            if (length < 0) {
                response.sendError(HttpServletResponse.SC_LENGTH_REQUIRED);
                return;
            }
            Body.echo(request, response, length);
        }
    }

    /** {@code ?bytes=N}: writes N bytes. */
    public static final class GeneratedServlet extends CountedServlet {
        @Override
        void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
            long bytes = parameter(request, response, "bytes");
            if (bytes >= 0) {
                Body.write(response, bytes);
            }
        }
    }

    /**
     * {@code ?bytes=N}: reads the request body, and writes N bytes. During the whole call, the servlet holds one of ten permits. The
     * permits simulate the connections of a database pool.
     */
    public static final class PooledServlet extends CountedServlet {
        private static final int SIZE = 10;
        private static final Semaphore PERMITS = new Semaphore(SIZE, true);

        @Override
        void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
            long bytes = parameter(request, response, "bytes");
            if (bytes < 0) {
                return;
            }
            try {
                PERMITS.acquire();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException("The server stops").initCause(stopped);
            }
            Long taken = Calls.takePermit();
            try {
                Body.read(request);
                Body.write(response, bytes);
                // The permit is held until the response is sent. Many applications also close a transaction only after
                // the view has been written.
                response.flushBuffer();
            } finally {
                Calls.givePermit(taken);
                PERMITS.release();
            }
        }
    }

    /**
     * {@code ?bytes=N}: counts the requests of a session in an attribute, which each request reads and writes. A new session also gets an
     * attribute of N bytes, which does not change. The response contains the count.
     */
    public static final class SessionServlet extends CountedServlet {
        private static final String COUNT = "count";

        @Override
        void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
            long bytes = parameter(request, response, "bytes");
            if (bytes < 0) {
                return;
            }
            HttpSession session = request.getSession();
            Integer before = (Integer) session.getAttribute(COUNT);
            if (before == null) {
                session.setAttribute("content", "x".repeat((int) bytes));
            }
            int count = before == null ? 1 : before + 1;
            session.setAttribute(COUNT, count);
            byte[] text = Integer.toString(count).getBytes(StandardCharsets.US_ASCII);
            send(response, text);
        }
    }

    /**
     * Changes a session that parallel requests share, in three ways. {@code ?client=N&value=V} makes three changes. It sets the attribute
     * {@code client-N} to V. Under a lock of this JVM, it adds one to the attribute {@code counter} and sets the attribute again. It adds
     * one to the {@link Tally} {@code in-place} without setting the attribute again. A request without a query creates the session and its
     * counters if they do not exist, and changes nothing else. The response to both kinds of requests contains the session's attributes,
     * one {@code name=value} per line.
     */
    public static final class ChangesServlet extends CountedServlet {
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
            send(response, text);
        }
    }

    /** A session attribute with a number that is changed without a call of {@code setAttribute}. Thread: any. */
    public static final class Tally implements Serializable {
        private int count;

        synchronized void increment() {
            count++;
        }

        private synchronized void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
        }

        @Override
        public synchronized String toString() {
            return Integer.toString(count);
        }
    }
}
