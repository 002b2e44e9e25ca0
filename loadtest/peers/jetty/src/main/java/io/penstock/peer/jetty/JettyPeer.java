package io.penstock.peer.jetty;

import io.penstock.peer.Peer;
import io.penstock.peer.PeerOptions;
import io.penstock.peer.PeerTls;
import io.penstock.peer.Tuned;
import io.penstock.peer.content.Content;
import io.penstock.peer.content.Endpoints;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.ee11.servlet.DefaultServlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Runs Jetty with the common content. By default, Jetty has no limit of connections, and no limit of requests on a connection. */
public final class JettyPeer {
    /**
     * The name of a setting: a number of bytes. A servlet is called when this number of bytes of the body, or the whole body, has arrived.
     */
    private static final String EAGER_CONTENT = "eager-content";

    private static final int AS_JETTY_ESTIMATES = -1;

    private JettyPeer() {}

    public static void main(String[] args) {
        Peer.main(args, JettyPeer::start);
    }

    @SuppressWarnings("JavaUtilConcurrent") // The server stops the thread pool.
    private static Peer.Running start(PeerOptions options) throws Exception {
        int eagerBytes = options.onlyOwn(EAGER_CONTENT);
        QueuedThreadPool pool = new QueuedThreadPool();
        if (options.tuned()) {
            pool.setMaxThreads(Tuned.POOL);
        }
        if (options.threads() == PeerOptions.Threads.VIRTUAL) {
            pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        }
        Server server = new Server(pool);
        ServerConnector connector = new ServerConnector(server, protocols(options));
        if (options.workers() > 0) {
            // The threads that accept connections or run a selector also belong to the pool. They run no servlets, so
            // they are added to the number of workers.
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
        if (options.sendBuffer() > 0) {
            connector.setAcceptedSendBufferSize(options.sendBuffer());
        }
        server.addConnector(connector);
        ServletContextHandler context = context(options);
        server.setHandler(eagerBytes == 0 ? context : eager(context, eagerBytes));
        server.start();
        return new Peer.Running("Jetty " + Server.getVersion(), connector.getLocalPort());
    }

    /** The protocols of a connection. The first one begins: TLS, which ALPN or HTTP/1.1 follows, or HTTP/1.1. */
    private static ConnectionFactory[] protocols(PeerOptions options) throws GeneralSecurityException, IOException {
        HttpConfiguration configuration = new HttpConfiguration();
        HttpConnectionFactory http1 = new HttpConnectionFactory(configuration);
        if (options.keyStore().isEmpty()) {
            return options.http2()
                    ? new ConnectionFactory[] {http1, http2(new HTTP2CServerConnectionFactory(configuration), options)}
                    : new ConnectionFactory[] {http1};
        }
        SslContextFactory.Server ssl = ssl(options.keyStore().get());
        if (!options.http2()) {
            return AbstractConnectionFactory.getFactories(ssl, http1);
        }
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        return AbstractConnectionFactory.getFactories(
                ssl, alpn, http2(new HTTP2ServerConnectionFactory(configuration), options), http1);
    }

    private static ConnectionFactory http2(AbstractHTTP2ServerConnectionFactory http2, PeerOptions options) {
        if (options.tuned()) {
            http2.setStreamIdleTimeout(Tuned.IDLE_MILLIS);
        }
        return http2;
    }

    private static SslContextFactory.Server ssl(Path keyStore) throws GeneralSecurityException, IOException {
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setSslContext(PeerTls.context(keyStore));
        ssl.setIncludeProtocols(PeerTls.PROTOCOLS.toArray(String[]::new));
        ssl.setExcludeProtocols();
        ssl.setIncludeCipherSuites(PeerTls.SUITES.toArray(String[]::new));
        ssl.setExcludeCipherSuites();
        return ssl;
    }

    /**
     * Returns Jetty's handler that collects a request body before the servlet is called. The limit of the handler is increased to the given
     * number of bytes. With its default limit, the handler would collect less than one buffer.
     */
    private static Handler eager(Handler next, int bytes) {
        return new EagerContentHandler(
                next,
                new EagerContentHandler.FormContentLoaderFactory(),
                new EagerContentHandler.MultiPartContentLoaderFactory(),
                new EagerContentHandler.RetainedContentLoaderFactory(bytes, AS_JETTY_ESTIMATES, false));
    }

    private static ServletContextHandler context(PeerOptions options) {
        ServletContextHandler context = new ServletContextHandler("/");
        context.setBaseResourceAsPath(options.root());
        for (Content content : Content.values()) {
            context.addServlet(new ServletHolder(content.name(), content.newServlet()), content.path());
        }
        context.addServlet(new ServletHolder("default", new DefaultServlet()), "/");
        if (options.webSocket()) {
            JakartaWebSocketServletContainerInitializer.configure(context, (servlets, container) -> {
                for (Class<?> endpoint : Endpoints.ALL) {
                    container.addEndpoint(endpoint);
                }
            });
        }
        return context;
    }
}
