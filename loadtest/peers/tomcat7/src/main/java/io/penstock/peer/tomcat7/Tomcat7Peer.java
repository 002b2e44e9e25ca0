package io.penstock.peer.tomcat7;

import io.penstock.peer.Peer;
import io.penstock.peer.PeerOptions;
import io.penstock.peer.Tuned;
import io.penstock.peer.content.Content;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;

/**
 * Runs Tomcat 7, embedded, with the common content. The connector of this class uses blocking I/O, with one thread for each connection.
 * When the jar of this program is built, {@code jakarta.servlet} is replaced by {@code javax.servlet}.
 */
public final class Tomcat7Peer {
    private static final String BLOCKING = "org.apache.coyote.http11.Http11Protocol";

    private Tomcat7Peer() {}

    public static void main(String[] args) {
        Peer.main(args, Tomcat7Peer::start);
    }

    private static Peer.Running start(PeerOptions options) throws IOException, LifecycleException {
        options.refuse(PeerOptions.Threads.VIRTUAL);
        options.refuseTlsAndHttp2();
        // Without this property, Tomcat would only log that the port is in use, and would run without listening.
        System.setProperty("org.apache.catalina.startup.EXIT_ON_INIT_FAILURE", "true");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat7-").toString());
        Connector connector = connector(options);
        tomcat.getService().addConnector(connector);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", options.root().toString());
        context.addMimeMapping("txt", "text/plain");
        for (Content content : Content.values()) {
            Tomcat.addServlet(context, content.name(), content.className());
            context.addServletMapping(content.path(), content.name());
        }
        Tomcat.addServlet(context, "default", "org.apache.catalina.servlets.DefaultServlet");
        context.addServletMapping("/", "default");
        tomcat.start();
        return new Peer.Running(ServerInfo.getServerInfo().replaceFirst(".*/", "Tomcat "), connector.getLocalPort());
    }

    private static Connector connector(PeerOptions options) {
        Connector connector = new Connector(BLOCKING);
        connector.setPort(options.port());
        if (options.tuned()) {
            set(connector, "disableKeepAlivePercentage", "100");
        }
        options.tomcatConnector(Tuned.THREAD_PER_CONNECTION).forEach((name, value) -> set(connector, name, value));
        return connector;
    }

    private static void set(Connector connector, String name, String value) {
        if (!connector.setProperty(name, value)) {
            throw new IllegalArgumentException("Tomcat does not know the setting " + name);
        }
    }
}
