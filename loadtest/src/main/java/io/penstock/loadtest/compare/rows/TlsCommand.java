package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.peers.Server;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code loadtest compare --tls}. */
@Command(
        name = "--tls",
        aliases = "tls",
        description = {
            "One table of work over TLS: small requests and a file of 1 MB over 64 and 256 connections, full and resumed"
                    + " handshakes; with the ratio of Penstock, in its default settings, to the best of the others, and the bar for"
                    + " it. All servers have the JDK's engine, the same key and the same cipher suites.",
            "Needs wrk on the path, and for handshakes the C compiler cc and the headers of OpenSSL.",
            "Results go to the standard output, progress to the standard error."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured, at least in part", "2:an option is wrong", "3:nothing could be measured"})
public final class TlsCommand extends WorksCommand {
    /** The others are tuned where their defaults would stop a measurement: Tomcat ends a connection after 100 requests. */
    private static final List<Server> USUAL =
            List.of(Server.PENSTOCK_DEFAULTS, Server.TOMCAT, Server.JETTY, Server.UNDERTOW);

    @Option(
            names = "--works",
            paramLabel = "NAME",
            split = ",",
            description = "What is done, by names separated by commas; by default all: tls-hello-64, tls-hello-256,"
                    + " tls-file-64, tls-file-256, tls-full-1.3, tls-resumed-1.3, tls-full-1.2, tls-resumed-1.2.")
    private List<String> names = List.of();

    public TlsCommand() {
        super(Sheet.TLS, USUAL);
    }

    @Override
    List<String> names() {
        return names;
    }

    @Override
    Clients clients(boolean smokeTest) {
        return Clients.overTls();
    }
}
