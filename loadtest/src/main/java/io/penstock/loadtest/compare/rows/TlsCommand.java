package io.penstock.loadtest.compare.rows;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loadtest compare --tls}. */
@Command(
        name = "--tls",
        aliases = "tls",
        description = {
            "Measures work over TLS in one table: small requests and a file of 1 MB over 64 and 256"
                    + " connections, full and resumed handshakes. The table has the ratio of Penstock (default"
                    + " settings) to the best other server, and the target for it. All servers use the JDK's TLS"
                    + " engine, the same key and the same cipher suites.",
            "Needs wrk on the path. Handshakes also need the C compiler cc and the headers of OpenSSL.",
            "Writes results to standard output, progress to standard error."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured, at least partly", "2:an option is invalid", "3:nothing was measured"})
public final class TlsCommand extends WorksCommand {
    @Option(
            names = "--works",
            paramLabel = "NAME",
            split = ",",
            description = "Works to measure, separated by commas. Default: all, that is tls-hello-64,"
                    + " tls-hello-256, tls-file-64, tls-file-256, tls-full-1.3, tls-resumed-1.3,"
                    + " tls-full-1.2, tls-resumed-1.2.")
    private List<String> names = List.of();

    @Override
    Sheet sheet() {
        return Sheet.TLS;
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
