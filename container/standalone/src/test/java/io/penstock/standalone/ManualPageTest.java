package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Key;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Writes and tests the manual page, {@code release/src/man/penstock.1}. Its options and keys are those of {@code --help-all}. */
class ManualPageTest {
    private static final Path PAGE = Path.of("..", "..", "release", "src", "man", "penstock.1");

    /** The headings of the keys. {@code ConfigurationDocumentTest} keeps this document up to date. */
    private static final Path REFERENCE = Path.of("..", "..", "docs", "configuration.md");

    private static final Pattern HEADING_OR_KEY = Pattern.compile("(?m)^(?:### (.+)|\\| `([a-z0-9-]+)` \\|.*)$");

    /** Code in the text of a key: it is bold in the page. */
    private static final Pattern CODE = Pattern.compile("`([^`]*)`");

    private static final String BEGIN = """
        .\\" Generated from the code; CONTRIBUTING.md says how to generate it again.
        .TH PENSTOCK 1 "" "Penstock @VERSION@" "User Commands"
        .SH NAME
        penstock \\- Jakarta Servlet container in which a slow client never costs a thread
        .SH SYNOPSIS
        .B penstock
        .RI [ options ]
        .RI [ PORT ]
        .RI [ APP
        |
        .RI / context = APP
        |
        .RI // host / context = APP ]...
        .SH DESCRIPTION
        Serves web applications: Jakarta Servlet 6.1, JSP pages and WebSocket endpoints.
        .I APP
        is a .war file, an exploded web application or a folder of files.
        One APP is served at /; several APPs are served at the names of their files (ROOT at /), or at the given
        .RI / context
        or
        .RI // host / context .
        .PP
        Without APP, \\-\\-config and \\-\\-webapps, the command uses
        .I conf/penstock.properties
        of its installation, and serves the applications in the folder
        .I webapps
        of its installation.
        .SH OPTIONS
        """;

    private static final String KEYS = """
        .SH KEYS
        Each key is an option
        .RB ( \\-\\-workers\\ 8
        or
        .BR \\-\\-workers=8 ),
        a line of the configuration file
        .RB ( "workers = 8" )
        and an environment variable
        .RB ( PENSTOCK_WORKERS=8 ).
        An option wins over the environment, and the environment over the file.
        A duration is 500ms, 20s, 5m or 1h.
        Bytes may end with K, M or G.
        Any other unit is a count.
        .PP
        .BI \\-\\-/ CONTEXT : KEY\\ VALUE
        sets a key for one application.
        """;

    private static final String END = """
        .SH EXIT STATUS
        .TP
        .B 0
        Success of \\-\\-check, \\-\\-reload and the like.
        .TP
        .B 1
        The server could not start: the port is in use, or a file or an application is faulty.
        .TP
        .B 2
        The command line or the configuration is wrong, or \\-\\-check has found a problem.
        .TP
        .B 3
        The heap stayed full.
        .TP
        .B 4
        With \\-\\-reload: some changed settings need a restart.
        .TP
        .B 130, 143
        SIGINT (Ctrl\\-C) or SIGTERM stopped the server.
        .SH SIGNALS
        .TP
        .B SIGTERM, SIGINT
        The server stops in stages. It closes the port, and completes the running requests within
        .BR shutdown\\-timeout .
        .TP
        .B SIGUSR1
        The server reads its configuration, certificates, users and rules again, and opens the file of the access log again.
        .SH ENVIRONMENT
        .TP
        .BI PENSTOCK_ KEY
        The value of a key, in capitals and with _ for \\-.
        .TP
        .B PENSTOCK_APPLICATIONS
        Settings of applications, one on each line, such as
        .BR "/shop:session\\-timeout = 1h" .
        .TP
        .B JAVA_HOME
        The Java installation, 17 or newer. Default: the command
        .B java
        on the PATH.
        .TP
        .B JAVA_OPTS
        Options of Java, such as
        .BR \\-Xmx2g .
        .TP
        .B JAVA_CDS
        The class\\-data archive that
        .B \\-\\-train
        makes, without the extension of the file.
        .SH FILES
        The Debian package has these files. In the archive, the configuration is
        .IR conf/penstock.properties ,
        and the documents are in the folder
        .IR docs .
        .TP
        .I /etc/penstock/penstock.properties
        The configuration.
        .TP
        .I /etc/default/penstock
        The environment of the service.
        .TP
        .I /var/lib/penstock/webapps
        The applications of the service.
        .TP
        .I /usr/share/doc/penstock/html/index.html
        The documents.
        .SH EXAMPLES
        .TP
        .B penstock shop.war
        Serves the application at http://localhost:8080/.
        .TP
        .B penstock \\-\\-port 8443 \\-\\-tls\\-cert chain.pem \\-\\-tls\\-key key.pem shop.war
        Serves it over HTTPS.
        .TP
        .B penstock \\-\\-check \\-\\-config penstock.properties
        Checks a configuration and its applications.
        .SH SEE ALSO
        .BR java (1),
        .BR systemctl (1),
        .BR journalctl (1)
        """;

    @Test
    void thePageMatchesTheOptionsAndTheKeysOfTheHelp() throws IOException {
        String expected = page();
        if ("write".equals(System.getProperty("penstock.docs"))) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, expected);
        }
        assertEquals(
                expected,
                Files.exists(PAGE) ? Files.readString(PAGE) : "",
                "the manual page does not match the code; CONTRIBUTING.md says how to generate it");
    }

    @Test
    void thePageHasEachExitCode() {
        for (ExitCode code : ExitCode.values()) {
            assertTrue(END.contains("\n.B " + code.number() + "\n"), code.name());
        }
    }

    @Test
    @NeedsProgram(Program.GROFF)
    void groffHasNoWarning() throws IOException, InterruptedException {
        Process groff = new ProcessBuilder(
                        Program.GROFF.path().toString(), "-man", "-Tutf8", "-ww", "-z", PAGE.toString())
                .redirectErrorStream(true)
                .start();
        groff.getOutputStream().close();
        String said = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, groff.waitFor());
        assertEquals("", said);
    }

    private static String page() throws IOException {
        StringBuilder page = new StringBuilder(BEGIN);
        for (CommandOption option : CommandOption.values()) {
            String letter = option.letter();
            add(page, letter == null ? "" : "\\-" + letter + ", ", option.id(), option.label(), option.description());
        }
        page.append(KEYS);
        Map<String, String> headings = headings();
        for (Key key : Key.values()) {
            String heading = headings.get(key.id());
            if (heading != null) {
                page.append(".SS ").append(heading).append('\n');
            }
            String text = key.meaning() + ". Default: " + key.defaultShown() + ".";
            add(page, "", key.id(), HelpText.label(key).replaceAll("[<>]", ""), text);
        }
        return page.append(END).toString();
    }

    private static void add(StringBuilder page, String letter, String id, @Nullable String label, String text) {
        page.append(".TP\n\\fB").append(letter).append("\\-\\-").append(id.replace("-", "\\-"));
        if (label != null) {
            page.append("=\\fI").append(roff(label));
        }
        page.append("\\fR\n")
                .append(CODE.matcher(roff(text)).replaceAll("\\\\fB$1\\\\fR"))
                .append('\n');
    }

    /** Escapes what has a meaning in roff. A line that begins with a dot or an apostrophe would be a command. */
    private static String roff(String text) {
        String escaped = text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("^", "\\(ha")
                .replace("~", "\\(ti");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }

    /** The headings, by the first key of each. */
    private static Map<String, String> headings() throws IOException {
        Map<String, String> headings = new HashMap<>();
        List<String> open = new ArrayList<>();
        Matcher line = HEADING_OR_KEY.matcher(Files.readString(REFERENCE));
        while (line.find()) {
            if (line.group(1) != null) {
                open.add(line.group(1));
            } else if (!open.isEmpty()) {
                headings.put(line.group(2), open.remove(0));
            }
        }
        return headings;
    }
}
