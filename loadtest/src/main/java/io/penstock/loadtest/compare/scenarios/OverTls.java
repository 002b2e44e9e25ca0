package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;
import java.util.List;
import picocli.CommandLine.Option;

/** A picocli mixin: the option to run a scenario over TLS. */
final class OverTls {
    /** The default servers over TLS. Tomcat 7 is not measured over TLS. */
    static final List<Server> SERVERS = List.of(Server.PENSTOCK, Server.TOMCAT, Server.JETTY, Server.UNDERTOW);

    @Option(
            names = "--tls",
            description = {
                "Use TLS for normal and slow clients. Client and server use the JDK's TLS engine. Penstock"
                        + " is measured without TLS, too. The result has its own page. Default of --servers: penstock,"
                        + " tomcat, jetty, undertow."
            })
    private boolean tls;

    boolean isOn() {
        return tls;
    }

    /** Returns the name of a scenario. With this option it ends with {@code -tls}. */
    String name(String plain) {
        return tls ? plain + "-tls" : plain;
    }

    /** Returns the title of a scenario. With this option the title mentions TLS. */
    String title(String plain) {
        return tls ? plain + ", over TLS" : plain;
    }

    /**
     * Returns the groups of slow clients of a scenario. Without this option, these are the groups in {@code plain}. With this option, there
     * are two groups for each group in {@code plain}: one over TLS, and one without TLS for Penstock only.
     */
    List<Company> companies(Company... plain) {
        return List.of(plain).stream()
                .flatMap(company -> tls
                        ? List.of(company.over(Transport.TLS), company.over(Transport.PLAIN_BESIDE_TLS)).stream()
                        : List.of(company).stream())
                .toList();
    }
}
