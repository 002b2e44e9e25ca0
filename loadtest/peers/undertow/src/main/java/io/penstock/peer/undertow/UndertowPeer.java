package io.penstock.peer.undertow;

import io.penstock.peer.Peer;
import io.penstock.peer.PeerOptions;
import io.penstock.peer.PeerTls;
import io.penstock.peer.Tuned;
import io.penstock.peer.content.Content;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.Version;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.RequestBufferingHandler;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.xnio.Options;
import org.xnio.Sequence;

/** Runs Undertow with the common content. By default, Undertow has no limit of connections, and no limit of requests on a connection. */
public final class UndertowPeer {
    /**
     * The name of a setting: a number of buffers of 16 KB. A servlet is called when the body has filled this number of buffers, or has
     * arrived completely.
     */
    private static final String REQUEST_BUFFERS = "request-buffers";

    private UndertowPeer() {}

    public static void main(String[] args) {
        Peer.main(args, UndertowPeer::start);
    }

    private static Peer.Running start(PeerOptions options)
            throws ServletException, IOException, GeneralSecurityException {
        options.refuse(PeerOptions.Threads.VIRTUAL);
        int requestBuffers = options.onlyOwn(REQUEST_BUFFERS);
        DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment(options));
        manager.deploy();
        HttpHandler servlets = manager.start();
        Undertow.Builder builder = Undertow.builder()
                .setHandler(requestBuffers == 0 ? servlets : new RequestBufferingHandler(servlets, requestBuffers));
        if (options.keyStore().isPresent()) {
            builder.addHttpsListener(
                            options.port(),
                            "127.0.0.1",
                            PeerTls.context(options.keyStore().get()))
                    .setSocketOption(Options.SSL_ENABLED_PROTOCOLS, Sequence.of(PeerTls.PROTOCOLS))
                    .setSocketOption(Options.SSL_ENABLED_CIPHER_SUITES, suites(options));
        } else {
            builder.addHttpListener(options.port(), "127.0.0.1");
        }
        builder.setServerOption(UndertowOptions.ENABLE_HTTP2, options.http2());
        if (options.tuned()) {
            builder.setSocketOption(Options.BACKLOG, Tuned.BACKLOG)
                    .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, Tuned.IDLE_MILLIS)
                    .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, Tuned.LARGEST_BODY)
                    .setWorkerThreads(Tuned.POOL);
        }
        if (options.workers() > 0) {
            builder.setWorkerThreads(options.workers());
        }
        if (options.sendBuffer() > 0) {
            builder.setSocketOption(Options.SEND_BUFFER, options.sendBuffer());
        }
        Undertow server = builder.build();
        server.start();
        InetSocketAddress address =
                (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        return new Peer.Running("Undertow " + Version.getVersionString(), address.getPort());
    }

    /** Undertow offers HTTP/2 only if this one suite for RSA is enabled, too. It is never chosen, since the key is not for RSA. */
    private static Sequence<String> suites(PeerOptions options) {
        List<String> suites = new ArrayList<>(PeerTls.SUITES);
        if (options.http2()) {
            suites.add("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
        }
        return Sequence.of(suites);
    }

    private static DeploymentInfo deployment(PeerOptions options) {
        DeploymentInfo deployment = Servlets.deployment()
                .setClassLoader(UndertowPeer.class.getClassLoader())
                .setContextPath("/")
                .setDeploymentName("peer")
                .setResourceManager(new PathResourceManager(options.root()));
        for (Content content : Content.values()) {
            HttpServlet servlet = content.newServlet();
            deployment.addServlet(Servlets.servlet(
                            content.name(),
                            servlet.getClass().asSubclass(Servlet.class),
                            new ImmediateInstanceFactory<>(servlet))
                    .addMapping(content.path()));
        }
        return deployment;
    }
}
