package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.peers.TlsKey;
import java.util.List;
import java.util.Locale;

/** One of the two tables that compare servers for each {@link Work}. */
enum Sheet {
    /** The table of the command {@code compare rows}. */
    PLAIN("compare-rows", "rows", Row.ALL) {
        @Override
        List<Work> works(Work.Size size) {
            return Work.all(size);
        }

        @Override
        int file(Work.Size size) {
            return size.file();
        }

        @Override
        String conditions() {
            return "";
        }
    },

    /** The table of the command {@code compare --tls}. */
    TLS("compare-tls", "tls", Row.OVER_TLS) {
        @Override
        List<Work> works(Work.Size size) {
            return Work.overTls(size);
        }

        @Override
        int file(Work.Size size) {
            return size.tlsFile();
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
    };

    private final String section;
    private final String file;
    private final List<Row> rows;

    Sheet(String section, String file, List<Row> rows) {
        this.section = section;
        this.file = file;
        this.rows = rows;
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

    abstract List<Work> works(Work.Size size);

    /** The size of the file that the servers serve, in bytes. */
    abstract int file(Work.Size size);

    /** Additional lines in Markdown about the conditions of the measurement, for a report. */
    abstract String conditions();
}
