package io.penstock.peer.jetty;

import io.penstock.peer.Peer;
import io.penstock.peer.PeerOptions;
import io.penstock.peer.Tuned;
import io.penstock.peer.content.Content;
import org.eclipse.jetty.ee11.servlet.DefaultServlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty with the common content. It bounds neither connections nor requests on a connection. */
public final class JettyPeer {
    private JettyPeer() {}

    public static void main(String[] args) {
        Peer.main(args, JettyPeer::start);
    }

    @SuppressWarnings("JavaUtilConcurrent") // The pool is the server's to stop.
    private static Peer.Running start(PeerOptions options) throws Exception {
        if (!options.own().isEmpty()) {
            throw new IllegalArgumentException("--set is not known to Jetty");
        }
        QueuedThreadPool pool = new QueuedThreadPool();
        if (options.tuned()) {
            pool.setMaxThreads(Tuned.POOL);
        }
        if (options.threads() == PeerOptions.Threads.VIRTUAL) {
            pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        }
        Server server = new Server(pool);
        ServerConnector connector = new ServerConnector(server);
        if (options.workers() > 0) {
            // The threads that accept and select are taken from the pool, and run no servlets.
            int others =
                    connector.getAcceptors() + connector.getSelectorManager().getSelectorCount();
            pool.setMinThreads(Math.min(pool.getMinThreads(), options.workers() + others));
            pool.setMaxThreads(options.workers() + others);
        }
        connector.setHost("127.0.0.1");
        connector.setPort(options.port());
        if (options.tuned()) {
            connector.setAcceptQueueSize(Tuned.BACKLOG);
            connector.setIdleTimeout(Tuned.IDLE_MILLIS);
        }
        server.addConnector(connector);
        server.setHandler(context(options));
        server.start();
        return new Peer.Running("Jetty " + Server.getVersion(), connector.getLocalPort());
    }

    private static ServletContextHandler context(PeerOptions options) {
        ServletContextHandler context = new ServletContextHandler("/");
        context.setBaseResourceAsPath(options.root());
        for (Content content : Content.values()) {
            context.addServlet(new ServletHolder(content.name(), content.newServlet()), content.path());
        }
        context.addServlet(new ServletHolder("default", new DefaultServlet()), "/");
        return context;
    }
}
