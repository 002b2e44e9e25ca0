package io.penstock.admin;

import io.penstock.limits.Admin;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.net.InetAddress;
import java.util.List;

/**
 * The servlets and the filter of the admin site.
 *
 * <p>Thread: the owner of the admin site. Owns: the flow board ({@link Board}).
 */
public final class Pages implements AutoCloseable {
    private final Filter gate;
    private final Board board;
    private final List<Page> all;

    /** One servlet with its URL patterns. */
    public record Page(String name, Servlet servlet, List<String> patterns) {
        Page(String name, Servlet servlet, String... patterns) {
            this(name, servlet, List.of(patterns));
        }
    }

    /** @param bound the address to which the admin port is bound */
    public Pages(Watched watched, Admin admin, InetAddress bound) {
        HostRule.Reach reach = bound.isLoopbackAddress() ? HostRule.Reach.THIS_MACHINE : HostRule.Reach.OTHERS_TOO;
        gate = new Gate(new HostRule(reach, admin.host()), admin.asksForToken() ? new Token(admin.token()) : null);
        board = new Board(watched, admin.listeners());
        all = List.of(
                new Page("board", new PageServlet(), "", "/board.css", "/board.js", "/board.svg"),
                new Page("events", new EventsServlet(board), "/events"),
                new Page("health", new HealthServlet(watched), "/health/*"),
                new Page("metrics", new MetricsServlet(watched), "/metrics"),
                new Page("dump", new DumpServlet(watched), "/dump"),
                new Page("config", new ConfigServlet(watched), "/config"),
                new Page("contexts", new ContextsServlet(watched), "/contexts"));
    }

    /** The filter in front of all pages. */
    public Filter gate() {
        return gate;
    }

    /** The number of open pages that follow the flow board. */
    public int followers() {
        return board.followers();
    }

    public List<Page> all() {
        return all;
    }

    /** Ends the streams of the flow board. Idempotent. */
    @Override
    public void close() {
        board.close();
    }
}
