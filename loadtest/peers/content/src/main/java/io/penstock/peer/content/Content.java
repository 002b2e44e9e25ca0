package io.penstock.peer.content;

import jakarta.servlet.http.HttpServlet;
import java.util.function.Supplier;

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
}
