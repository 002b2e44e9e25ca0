package io.penstock.peer.content;

import jakarta.servlet.http.HttpServlet;
import java.util.function.Supplier;

/** The servlets of all servers, and their paths. The server's own default servlet handles requests to {@code /files/*}. */
public enum Content {
    HELLO("/hello", HelloServlet::new),
    WORK("/work", WorkServlet::new),
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
}
