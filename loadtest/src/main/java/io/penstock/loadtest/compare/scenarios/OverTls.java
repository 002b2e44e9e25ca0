package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;
import java.util.List;
import picocli.CommandLine.Option;

/** A mixin: the option to run a scenario over TLS. */
final class OverTls {
    /** Tomcat 7 is not compared over TLS. */
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

    /** The name of a scenario. */
    String name(String plain) {
        return tls ? plain + "-tls" : plain;
    }

    /** The title of a scenario. */
    String title(String plain) {
        return tls ? plain + ", over TLS" : plain;
    }

    /**
     * The parts of a scenario: {@code plain} without this option. With it, each of these parts over TLS, and for
     * Penstock also without TLS.
     */
    List<Company> companies(Company... plain) {
        return List.of(plain).stream()
                .flatMap(company -> tls
                        ? List.of(company.over(Transport.TLS), company.over(Transport.PLAIN_BESIDE_TLS)).stream()
                        : List.of(company).stream())
                .toList();
    }
}
