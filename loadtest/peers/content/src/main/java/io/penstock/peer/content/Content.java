package io.penstock.peer.content;

import jakarta.servlet.http.HttpServlet;
import java.util.function.Supplier;

/** The servlets and their paths. The server's own default servlet handles the other requests, {@code /files/*}. */
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

    /** For a server that needs the servlets' class names. */
    public String className() {
        return newServlet().getClass().getName();
    }
}
