package io.penstock.soak;

import io.penstock.Context;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The application of the soak test. Its servlets respond with data of the request, so that the client can check the response. Some servlets
 * respond on threads of the application, not on a worker of the server.
 */
public final class SoakSite implements AutoCloseable {
    private static final String SEEN = "soak.seen";

    /** The paths of the asynchronous servlets. Another thread can use the request after such a servlet has returned. */
    private static final Set<String> ANSWERED_LATER = Set.of("/async", "/listen");

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    private final LateWriters late = new LateWriters();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private final Set<String> excuses = ConcurrentHashMap.newKeySet();

    /** The folder in which uploads are written and then read again. */
    private final Path uploads;

    public SoakSite(Path uploads) {
        this.uploads = uploads;
    }

    /** Returns the errors that the application has found in its requests. */
    public Queue<String> problems() {
        return problems;
    }

    /**
     * Returns the tokens of the requests whose responses may be cut off. The reason is a body that could not be read, or a timeout during a
     * write.
     */
    public Set<String> excuses() {
        return excuses;
    }

    /** Returns how often the container has refused a write after the end of a response. */
    public long lateWritesRefused() {
        return late.refused();
    }

    public void define(Context context) {
        context.filter("fresh", new Fresh(), Set.of(DispatcherType.REQUEST), "/*")
                .servlet("echo", new Echo(), "/echo/*")
                .servlet("stream", new Echo(), "/stream/*")
                .servletInitParam("stream", "penstock.streaming", "true")
                .servlet("listen", new ListenServlet(), "/listen/*")
                .servlet("async", new AsyncServlet(threads, late, excuses), "/async/*")
                .servlet("upload", new Upload(), new MultipartConfigElement("", -1, -1, 2_000), "/upload/*")
                .servlet("session", new Session(), "/session/*")
                .servlet("error", new SentError(), "/error/*")
                .servlet("throw", new Thrown(), "/throw/*");
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Checks that a new request has no data of an earlier request, and that the response is not committed. */
    private final class Fresh extends HttpFilter {
        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            late.writeTooLate(request);
            String token = request.getHeader("X-Token");
            boolean answeredHere = !ANSWERED_LATER.contains(request.getServletPath());
            if (request.getAttribute(SEEN) != null || response.isCommitted()) {
                problems.add(token + " has data of the earlier request " + request.getAttribute(SEEN));
            }
            request.setAttribute(SEEN, token);
            response.setHeader("X-Token", token);
            chain.doFilter(request, response);
            boolean same = token.equals(request.getAttribute(SEEN)) && token.equals(request.getHeader("X-Token"));
            if (answeredHere && !same) {
                problems.add(token + " has changed to " + request.getHeader("X-Token"));
            }
        }
    }

    /** Sends the request body back in the response. The servlet reads and writes alternately. */
    private final class Echo extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ServletOutputStream out = response.getOutputStream();
            late.keep(request, out);
            StringBuilder first = new StringBuilder(Reply.preface(request));
            if (request.getParameter("form") != null) {
                first.append("form ").append(request.getParameter("form")).append('\n');
            }
            out.write(first.toString().getBytes(StandardCharsets.ISO_8859_1));
            try {
                request.getInputStream().transferTo(out);
            } catch (IOException e) {
                // The rest of the body cannot be read, or the client has disconnected.
                excuses.add(request.getHeader("X-Token"));
                throw e;
            }
            Reply.filler(request, out);
        }
    }

    /** Stores the uploaded file on disk, and then sends the form field and the file back. */
    private final class Upload extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            Part file = Objects.requireNonNull(request.getPart("file"));
            Path kept = uploads.resolve(request.getHeader("X-Token"));
            try {
                file.write(kept.toString());
                answer(request, response, file, kept);
            } finally {
                Files.deleteIfExists(kept);
            }
        }

        private void answer(HttpServletRequest request, HttpServletResponse response, Part file, Path kept)
                throws IOException {
            OutputStream out = response.getOutputStream();
            String lines = "field " + request.getParameter("field") + "\nfile " + file.getSubmittedFileName() + "\n";
            out.write((Reply.preface(request) + lines).getBytes(StandardCharsets.ISO_8859_1));
            try (InputStream in = Files.newInputStream(kept)) {
                in.transferTo(out);
            }
        }
    }

    /** Stores the owner of a new session in the session. Responds with the owner. The client checks that it owns the session. */
    private static final class Session extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            if (session.getAttribute("owner") == null) {
                session.setAttribute("owner", request.getHeader("X-Owner"));
            }
            response.getWriter().print(Reply.preface(request) + "session " + session.getAttribute("owner") + "\n");
        }
    }

    private static final class SentError extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("never sent: " + Reply.preface(request));
            response.sendError(HttpServletResponse.SC_CONFLICT, "no, " + request.getHeader("X-Token"));
        }
    }

    private static final class Thrown extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException {
            throw new ServletException("on purpose, for " + request.getHeader("X-Token"));
        }
    }
}
