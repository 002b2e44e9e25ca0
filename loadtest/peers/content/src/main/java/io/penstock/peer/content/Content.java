package io.penstock.peer.content;

import jakarta.servlet.http.HttpServlet;
import java.util.function.Supplier;

/** The servlets and their paths. Other requests, for {@code /files/*}, are for the server's own default servlet. */
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

    /** For a server that takes its servlets by the names of their classes. */
    public String className() {
        return newServlet().getClass().getName();
    }
}
