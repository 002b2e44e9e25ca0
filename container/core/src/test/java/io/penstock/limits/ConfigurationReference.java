package io.penstock.limits;

import io.penstock.metrics.Gauge;
import io.penstock.metrics.Metric;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Writes {@code docs/configuration.md} from the tables of keys, counters and gauges. */
final class ConfigurationReference {
    /** The headings of the table of keys, by the first key of each group. */
    private static final Map<Key, String> GROUPS = Collections.unmodifiableMap(new EnumMap<>(Map.ofEntries(
            Map.entry(Key.HOST, "Addresses and ports"),
            Map.entry(Key.MAX_CONNECTIONS, "Connections"),
            Map.entry(Key.TRUSTED_PROXIES, "Proxies"),
            Map.entry(Key.ALLOWED_ADDRESSES, "Clients and hosts"),
            Map.entry(Key.TLS_CERT, "HTTPS and certificates"),
            Map.entry(Key.NODE_NAME, "Node and admin port"),
            Map.entry(Key.WORKERS, "Workers and queue"),
            Map.entry(Key.DATA_SOURCES, "Data sources and logs"),
            Map.entry(Key.PIPE_CAPACITY, "Memory and disk"),
            Map.entry(Key.REQUEST_LINE_LIMIT, "Limits of a request"),
            Map.entry(Key.REALM_FILE, "Users and logins"),
            Map.entry(Key.FILE_CACHE, "Files and compression"),
            Map.entry(Key.MAX_SESSIONS, "Sessions"),
            Map.entry(Key.REQUEST_ENCODING, "Charsets and fields of responses"),
            Map.entry(Key.CROSS_CONTEXT, "Applications"),
            Map.entry(Key.PROXY_HEADER_TIMEOUT, "Timeouts"))));

    private ConfigurationReference() {}

    static String markdown() {
        return INTRODUCTION
                + contents()
                + KEYS
                + keys()
                + APPLICATIONS
                + applicationKeys()
                + CONTEXT_PARAMETERS
                + DATA_SOURCES
                + COUNTERS
                + counters()
                + GAUGES
                + gauges();
    }

    private static String keys() {
        StringBuilder table = new StringBuilder();
        for (Key key : Key.values()) {
            String heading = GROUPS.get(key);
            if (heading != null) {
                table.append("""

                    ### %s

                    | key | default | unit | meaning | beyond it | counter |
                    |---|---|---|---|---|---|
                    """.formatted(heading));
            }
            Counter counter = key.consequence().counter();
            table.append("| `%s` | %s | %s | %s | %s | %s |\n"
                    .formatted(
                            key.id(),
                            shown(key.defaultShown()),
                            key.unit(),
                            key.meaning(),
                            key.consequence().effect(),
                            counter == null ? "" : "`" + counter.id() + "`"));
        }
        return table.toString();
    }

    private static String contents() {
        StringBuilder list = new StringBuilder();
        for (String heading : GROUPS.values()) {
            String anchor = heading.toLowerCase(Locale.ROOT).replace(' ', '-');
            list.append("  - [%s](#%s)\n".formatted(heading, anchor));
        }
        return CONTENTS.formatted(list);
    }

    private static String applicationKeys() {
        StringBuilder table = new StringBuilder("| key | value | meaning |\n|---|---|---|\n");
        for (ApplicationKey key : ApplicationKey.values()) {
            table.append("| `%s:%s` | %s | %s |\n"
                    .formatted(
                            key.isOfHost() ? "//www.example.org" : "/shop",
                            key.shown(),
                            key.type().label(),
                            key.meaning()));
        }
        return table.toString();
    }

    private static String shown(String value) {
        return value.contains("`") ? value : "`" + value + "`";
    }

    private static String counters() {
        StringBuilder table = new StringBuilder("| counter | counts | metric |\n|---|---|---|\n");
        for (Counter counter : Counter.values()) {
            String metric = Metric.of(counter).total();
            table.append("| `%s` | %s | `%s` |\n".formatted(counter.id(), counter.meaning(), metric));
        }
        return table.toString();
    }

    private static String gauges() {
        StringBuilder table =
                new StringBuilder("| gauge | unit | meaning | at most | metric |\n|---|---|---|---|---|\n");
        for (Gauge gauge : Gauge.values()) {
            String metric = Metric.of(gauge).name();
            Key bound = gauge.bound();
            table.append("| `%s` | %s | %s | %s | `%s` |\n"
                    .formatted(
                            gauge.id(),
                            gauge.unit(),
                            gauge.meaning(),
                            bound == null ? "" : "`" + bound.id() + "`",
                            metric));
        }
        return table.toString();
    }

    private static final String INTRODUCTION = """
        <!-- Generated from the code; CONTRIBUTING.md says how to generate it again. -->
        # Configuration

        Every limit of the server has a key. A key can be set in three places. The first place in this list wins. A key that is set
        nowhere has its default:

        1. an option on the command line: `--workers 8` or `--workers=8`;
        2. an environment variable: `PENSTOCK_` and the key in capitals, with `_` for `-`: `PENSTOCK_WORKERS=8`;
        3. a line of the file that `--config FILE` names, in the syntax of Java's properties files, in UTF-8: `workers = 8`.

        `--print-config` prints each key with its value and the source of the value, and ends. `--print-config --changed` prints only
        the keys whose values differ from their defaults, and the settings of applications.

        In these cases the server does not start, and one line names the key and the place:

        - an option, a key in the file, or an environment variable that begins with `PENSTOCK_` is unknown;
        - a key is set twice in one place;
        - a value cannot be read, or is out of bounds.

        A Kubernetes service named `penstock` adds variables such as `PENSTOCK_PORT` to the environment of pods. Set
        `enableServiceLinks: false` in the pod of the server, so that the server does not get these variables.

        An embedded server reads neither environment nor file. Its builder has methods for the common keys, and
        `set("key", "value")` for all keys.

        A *number* is written in digits. *Bytes* are a number, or a number with `K`, `M` or `G` (powers of 1024): `64K`. A *time*
        has a unit, `ms`, `s`, `m` or `h`: `500ms`, `20s`.

        """;

    private static final String CONTENTS = """
        - [Keys](#keys)
        %s- [Settings of one application](#settings-of-one-application)
        - [Context parameters](#context-parameters)
        - [Data sources](#data-sources)
        - [Counters](#counters)
        - [Gauges](#gauges)

        """;

    private static final String KEYS = """
        ## Keys

        The column *beyond it* has the consequence when the limit is reached: the status of the response, or another effect.
        The *counter* counts how often the limit is reached.
        """;

    private static final String APPLICATIONS = """

        ## Settings of one application

        These keys are settings of one application, and need no change of its archive. The key begins with the context path of the
        application and a colon: `/shop:session-timeout`. The context path of the root is `/`. A space or a letter beyond ASCII may be
        written as in a URL: `/my%20shop:session-timeout`. A context with a
        [host](guide/deploying.md#several-hosts) is written with the host: `//www.example.org/shop:session-timeout`. A setting of a whole
        host has no path: `//www.example.org:client-auth`. These settings take precedence over the application's own. For the
        session's time-out and cookie and for charsets this includes what its code sets (`setSessionTimeout`, `SessionCookieConfig`,
        `ServletContext.setRequestCharacterEncoding` and `setResponseCharacterEncoding`). A servlet or filter can still name another charset
        for a single request or response. A key of the server with the same name, such as `session-timeout`, is only for applications that
        have no value of their own. The settings apply to applications on the command line, in the `webapps` folder, and in a program. Each
        can be set in three places. The first place in this list wins:

        1. on the command line: `--/shop:exclude-scan poi-*.jar` or `--/shop:exclude-scan=poi-*.jar`;
        2. in the environment variable `PENSTOCK_APPLICATIONS`, which has a line for each setting, written as in the file;
        3. in the file that `--config` names: `/shop:exclude-scan = poi-*.jar`.

        An unknown key is an error, and the message names file and line. `--print-config` prints these settings after the keys of the
        server, and `--print-descriptor` prints the descriptor that results from them.

        """;

    private static final String CONTEXT_PARAMETERS = """

        ## Context parameters

        An application can set these parameters in its `web.xml` (`<context-param>`), for errors, JSP, WebSocket and the scan for annotations.
        An operator can set them, too: `/shop:context-param.penstock.show-exceptions = true`.

        | parameter | default | meaning |
        |---|---|---|
        | `penstock.show-exceptions` | `false` | `true`: the server's error page shows the exception of a servlet, with its stack trace |
        | `penstock.jsp.show-errors` | `false` | `true`: the response for a faulty JSP shows the error, with lines of the page's source. Do not set it where strangers reach the server |
        | `penstock.jsp.development` | `true` | `false`: the JSP engine never looks for changed pages |
        | `penstock.jsp.NAME` | that of Jasper | sets the init parameter NAME of Jasper's servlet |
        | `penstock.scan.exclude` | none | file names of libraries in `WEB-INF/lib` whose classes are not read, such as `spring-*.jar, groovy-*.jar`. Annotations of these classes have no effect, and initializers do not get these classes. The fragments of the libraries still have effect |
        | `penstock.initializers.exclude` | none | classes of initializers (`ServletContainerInitializer`) that do not run, such as `com.example.*, *.EndpointInitializer`. The server's own initializers, for JSP and WebSocket, can be excluded, too |
        | `penstock.websocket.max-message` | `65536` | longest WebSocket message, in bytes or characters, that `@OnMessage` gets in one call. A longer message closes the connection with the code 1009. `@OnMessage(maxMessageSize = ...)` can set another limit for its method |
        | `penstock.websocket.unfinished-messages` | an eighth of the heap | bytes of all unfinished WebSocket messages of the application together. Beyond this limit, the connections with the oldest unfinished messages are closed |

        In the lists of names, `*` stands for any characters. Commas or white space separate the names.
        """;

    private static final String DATA_SOURCES = """

        ## Data sources

        The key `data-sources` names a file, in UTF-8, with a line `name.key = value` for each setting of a data source. Lines that begin
        with `#` are ignored. Paths in the file are relative to its folder. A wrong line is an error, and the message names file and line.
        [The user guide](guide/applications.md#jndi-names-and-data-sources) has an example.

        | key | default | meaning |
        |---|---|---|
        | `url` | none | JDBC URL of the database |
        | `class` | the driver for the URL | class that implements `DataSource` or `Driver`. The server sets the other keys as properties of a `DataSource` (`url`, `serverName`, `portNumber`, `databaseName`, `user`, `password`). A `Driver` also needs `url` |
        | `server`, `port`, `database` | none | the address of the database, in place of `url`, if `class` is a `DataSource` with these properties |
        | `user`, `password` | none | name and password for the database |
        | `password-file` | none | file whose first line is the password, in place of `password` |
        | `property.NAME` | none | the property NAME of the class or of the driver |
        | `jars` | none | jars of the driver, separated as in a class path. The server looks for the driver in these jars, then in the application, then on its own class path. `penstock.jar` has the driver of PostgreSQL |
        | `max-connections` | `10` | connections that each application may have open at one time |
        | `min-connections` | `0` | number of unused connections that stay open |
        | `max-idle-time` | `10m` | time after which further unused connections are closed |
        | `connection-timeout` | `30s` | longest time that an application waits for a connection |
        | `isolation` | that of the driver | isolation of transactions: `read-uncommitted`, `read-committed`, `repeatable-read` or `serializable` |

        A time is a whole number with `s`, `m` or `h`. Each application has its own pool for each data source
        ([HikariCP](https://github.com/brettwooldridge/HikariCP)). The pool is created at its first use, so an application starts even if the
        database is down.
        """;

    private static final String COUNTERS = """

        ## Counters

        The server counts these events from its start. [Looking inside](guide/observing.md#looking-inside) describes how to read the counters.
        In JMX each name is one word: `queueFull` for `queue-full`. The last column has the name in `/metrics` of the admin port.

        """;

    private static final String GAUGES = """

        ## Gauges

        A gauge is a value at this moment. Read gauges like counters. The server counts the connections of each state at most once
        a second. *At most* is the key that limits the gauge. `/metrics` has the values of the keys, too: `penstock_limit{key="queue"}`, and for bytes and times
        `penstock_limit_bytes{key="pipe-budget"}` and `penstock_limit_seconds{key="queue-age"}`.

        """;
}
