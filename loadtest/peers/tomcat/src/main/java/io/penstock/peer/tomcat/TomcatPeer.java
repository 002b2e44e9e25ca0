package io.penstock.peer.tomcat;

import io.penstock.peer.Peer;
import io.penstock.peer.PeerOptions;
import io.penstock.peer.PeerTls;
import io.penstock.peer.Tuned;
import io.penstock.peer.content.Content;
import io.penstock.peer.content.Endpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.websocket.server.WsSci;

/** Runs the current Tomcat, embedded, with the common content. */
public final class TomcatPeer {
    private TomcatPeer() {}

    public static void main(String[] args) {
        Peer.main(args, options -> start(options, context -> {}));
    }

    /** @param more a function that adds more configuration to the context */
    public static Peer.Running start(PeerOptions options, Consumer<Context> more)
            throws IOException, LifecycleException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat-").toString());
        Connector connector = connector(options);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", options.root().toString());
        context.addMimeMapping("txt", "text/plain");
        for (Content content : Content.values()) {
            Tomcat.addServlet(context, content.name(), content.newServlet()).addMapping(content.path());
        }
        Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
        if (options.webSocket()) {
            context.addServletContainerInitializer(new WsSci(), Endpoints.ALL);
        }
        more.accept(context);
        connector.setThrowOnFailure(true);
        tomcat.start();
        return new Peer.Running(ServerInfo.getServerInfo().replaceFirst(".*/", "Tomcat "), connector.getLocalPort());
    }

    private static Connector connector(PeerOptions options) {
        Connector connector = new Connector();
        connector.setPort(options.port());
        if (options.threads() == PeerOptions.Threads.VIRTUAL) {
            set(connector, "useVirtualThreads", "true");
        }
        options.keyStore().ifPresent(keyStore -> encrypt(connector, keyStore));
        if (options.http2()) {
            connector.addUpgradeProtocol(http2(options));
        }
        options.tomcatConnector(Tuned.POOL).forEach((name, value) -> set(connector, name, value));
        return connector;
    }

    private static Http2Protocol http2(PeerOptions options) {
        Http2Protocol http2 = new Http2Protocol();
        if (options.tuned()) {
            http2.setKeepAliveTimeout(Tuned.IDLE_MILLIS);
            http2.setReadTimeout(Tuned.IDLE_MILLIS);
            http2.setWriteTimeout(Tuned.IDLE_MILLIS);
            http2.setStreamReadTimeout(Tuned.IDLE_MILLIS);
            http2.setStreamWriteTimeout(Tuned.IDLE_MILLIS);
        }
        return http2;
    }

    private static void encrypt(Connector connector, Path keyStore) {
        SSLHostConfig host = new SSLHostConfig();
        host.setProtocols(String.join("+", PeerTls.PROTOCOLS));
        host.setCiphers(PeerTls.SUITES.get(1));
        host.setCipherSuites(PeerTls.SUITES.get(0));
        SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
        certificate.setCertificateKeystoreFile(keyStore.toString());
        certificate.setCertificateKeystorePassword(PeerTls.PASSWORD);
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        connector.setScheme("https");
        connector.setSecure(true);
        set(connector, "SSLEnabled", "true");
        set(connector, "sslImplementationName", "org.apache.tomcat.util.net.jsse.JSSEImplementation");
    }

    private static void set(Connector connector, String name, String value) {
        if (!connector.setProperty(name, value)) {
            throw new IllegalArgumentException("Tomcat does not know the setting " + name);
        }
    }
}
