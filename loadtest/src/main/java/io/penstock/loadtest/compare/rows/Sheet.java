package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.TlsKey;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** A table that compares servers for each {@link Work}. */
enum Sheet {
    /** The table of the command {@code compare rows}. */
    PLAIN(
            "compare-rows",
            "rows",
            Row.ALL,
            Server.PENSTOCK_DEFAULTS,
            Server.PENSTOCK,
            Server.TOMCAT,
            Server.JETTY,
            Server.UNDERTOW) {
        @Override
        List<Work> works(Work.Size size) {
            return Work.all(size);
        }

        @Override
        int file(Work.Size size) {
            return size.file();
        }
    },

    /** The table of the command {@code compare --tls}. */
    TLS("compare-tls", "tls", Row.OVER_TLS, Server.PENSTOCK_DEFAULTS, Server.TOMCAT, Server.JETTY, Server.UNDERTOW) {
        @Override
        List<Work> works(Work.Size size) {
            return Work.overTls(size);
        }

        @Override
        String conditions() {
            return "- TLS: the JDK's engine in all servers, a key on P-256, " + String.join(" and ", TlsKey.SUITES)
                    + "; the client chooses the exchange of keys (X25519). Requests are sent with TLS 1.3.\n"
                    + String.format(
                            Locale.ROOT,
                            "- Handshakes: `%s`, one thread of C with OpenSSL, %d connections at a time; each has one handshake"
                                    + " and one request for hello. A handshake counts only if the client found that it was of the kind in the row"
                                    + " (full or resumed). Their warm-up is three times as long.\n",
                            HandshakeClient.SOURCE,
                            Work.HANDSHAKING);
        }
    },

    /** The table of the command {@code compare waiting}. All servers have their default settings. */
    WAITING(
            "compare-waiting",
            "waiting",
            Row.waiting(false),
            Server.PENSTOCK_DEFAULTS,
            Server.TOMCAT_DEFAULTS,
            Server.JETTY_DEFAULTS,
            Server.UNDERTOW_DEFAULTS,
            Server.BOOT_PENSTOCK,
            Server.BOOT_TOMCAT,
            Server.BOOT_JETTY) {
        @Override
        List<Work> works(Work.Size size) {
            return Work.waiting(size, false);
        }
    },

    /** The table of the command {@code compare waiting --virtual-threads}. */
    WAITING_VIRTUAL(
            "compare-waiting-virtual-threads",
            "waiting-virtual-threads",
            Row.waiting(true),
            Server.PENSTOCK_VIRTUAL_DEFAULTS,
            Server.TOMCAT_VIRTUAL_DEFAULTS,
            Server.JETTY_VIRTUAL_DEFAULTS,
            Server.BOOT_PENSTOCK_VIRTUAL,
            Server.BOOT_TOMCAT_VIRTUAL,
            Server.BOOT_JETTY_VIRTUAL) {
        @Override
        List<Work> works(Work.Size size) {
            return Work.waiting(size, true);
        }
    };

    private final String section;
    private final String file;
    private final List<Row> rows;
    private final List<Server> usual;

    /** @param usual the servers to compare if the user names none; the first is the Penstock that the rows are about */
    Sheet(String section, String file, List<Row> rows, Server... usual) {
        this.section = section;
        this.file = file;
        this.rows = rows;
        this.usual = List.of(usual);
    }

    /** The name of the document's section. The markers at the beginning and end of the section contain this name. */
    String section() {
        return section;
    }

    /** The name of the result files, without the extension. */
    String file() {
        return file;
    }

    List<Row> rows() {
        return rows;
    }

    List<Server> usual() {
        return usual;
    }

    /** The measured time of each turn if the user names none. */
    Duration usualTurn() {
        return Duration.ofSeconds(this == WAITING || this == WAITING_VIRTUAL ? 10 : 2);
    }

    abstract List<Work> works(Work.Size size);

    /** The size of the file that the servers serve, in bytes. */
    int file(Work.Size size) {
        return size.tlsFile();
    }

    /** Additional lines in Markdown about the conditions of the measurement, for a report. */
    String conditions() {
        return "";
    }
}
