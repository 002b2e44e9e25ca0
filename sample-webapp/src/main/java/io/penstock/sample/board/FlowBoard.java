package io.penstock.sample.board;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.URI;
import java.util.Set;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The flow board of the server that runs this application.
 *
 * @param url the URL with the address that the admin port is bound to; empty if there is no flow board
 */
record FlowBoard(String url) {
    private static final String SERVERS = "io.penstock:type=Server,*";
    private static final Pattern LOOPBACK = Pattern.compile("127\\.[0-9.]+|::1|0:0:0:0:0:0:0:1");

    /**
     * Asks the server by JMX, the management interface of the JVM. Other containers have no such bean. A JVM with several servers of
     * Penstock has several beans. Then the board counts as missing, since the right bean is not known.
     */
    static FlowBoard ofThisServer() throws IOException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        try {
            Set<ObjectName> names = beans.queryNames(new ObjectName(SERVERS), null);
            if (names.size() != 1) {
                return new FlowBoard("");
            }
            return new FlowBoard((String) beans.getAttribute(names.iterator().next(), "adminUrl"));
        } catch (JMException failed) {
            throw new IOException("The URL of the flow board cannot be read", failed);
        }
    }

    /**
     * The URL for a client; empty for clients that may not know it. A client on another machine gets no URL, unless the admin port listens
     * at every address. Then the URL names {@code localhost}: the client can be a browser outside of the server's container. The page shows
     * the URL only to browsers that have opened {@code localhost}.
     *
     * @param client the address of the client
     */
    String urlFor(String client) throws IOException {
        if (url.isEmpty()) {
            return "";
        }
        URI board = URI.create(url);
        InetAddress bound = InetAddress.getByName(board.getHost());
        if (bound.isAnyLocalAddress()) {
            return board.getScheme() + "://localhost:" + board.getPort() + "/";
        }
        return LOOPBACK.matcher(client).matches() ? url : "";
    }
}
