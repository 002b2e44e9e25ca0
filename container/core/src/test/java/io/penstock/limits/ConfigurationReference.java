package io.penstock.limits;

/** Writes {@code docs/configuration.md} from the tables of keys, counters and gauges. */
final class ConfigurationReference {
    private ConfigurationReference() {}

    static String markdown() {
        return INTRODUCTION + keys() + APPLICATIONS + applicationKeys() + COUNTERS + counters() + GAUGES + gauges();
    }

    private static String keys() {
        StringBuilder table = new StringBuilder("""
                | key | default | unit | meaning | beyond it | counter | environment |
                |---|---|---|---|---|---|---|
                """);
        for (Key key : Key.values()) {
            Counter counter = key.consequence().counter();
            table.append("| `%s` | %s | %s | %s | %s | %s | `%s` |\n"
                    .formatted(
                            key.id(),
                            shown(key.defaultShown()),
                            key.unit(),
                            key.meaning(),
                            key.consequence().effect(),
                            counter == null ? "" : "`" + counter.id() + "`",
                            key.variable()));
        }
        return table.toString();
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
        StringBuilder table = new StringBuilder("| gauge | unit | tells | at most | metric |\n|---|---|---|---|---|\n");
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

            Every bound of the server has a key. A key can be given in four places; the first that has it wins:

            1. an option of the command line: `--workers 8` or `--workers=8`;
            2. an environment variable, `PENSTOCK_` and the key in capitals with `_` for `-`: `PENSTOCK_WORKERS=8`;
            3. a line of the file named by `--config FILE`, in the syntax of Java's properties files, in UTF-8: `workers = 8`;
            4. the default.

            `--print-config` prints each key, its value and where it came from, and ends.

            An unknown option, an unknown key in the file, a key twice in one place, a value that cannot be read or is out of
            bounds, and an unknown environment variable that begins with `PENSTOCK_` are errors: one line says which and where,
            and the server does not start. (A Kubernetes service named `penstock` puts variables such as `PENSTOCK_PORT` into the
            environment of its neighbours; `enableServiceLinks: false` in the pod keeps them out.)

            An embedded server reads neither environment nor file; its builder has a method for the common keys, and
            `set("key", "value")` for all.

            A *number* is written in digits. *Bytes* are a number, or one with `K`, `M` or `G` (powers of 1024): `64K`. A *time*
            has a unit, `ms`, `s`, `m` or `h`: `500ms`, `20s`.

            ## Keys

            *Beyond it* says what happens to a client when the bound is reached: a status, or the end of its connection.

            """;

    private static final String APPLICATIONS = """

            ## Settings of one application

            An application can be set up from outside of its archive. The key begins with the application's context path and a
            colon, here `/shop`; `/` is the root. A context with a [host](guide/deploying.md#several-hosts) is written with it:
            `//www.example.org/shop:session-timeout`. A setting of a whole host has no path: `//www.example.org:client-auth`. These settings count for named applications, for those of the `webapps` folder
            and for embedded ones. They win over the application's own. They can be given in three places; the first
            that has a key wins:

            1. on the command line: `--/shop:exclude-scan poi-*.jar` or `--/shop:exclude-scan=poi-*.jar`;
            2. in the environment variable `PENSTOCK_APPLICATIONS`, which has a line for each setting, written as in the file;
            3. in the file that `--config` names: `/shop:exclude-scan = poi-*.jar`.

            An unknown key is an error that names file and line. `--print-config` prints these settings behind the keys of the
            server, and `--print-descriptor` what becomes of the application's descriptor.

            """;

    private static final String COUNTERS = """

            ## Counters

            What the server counts from its start. [Looking inside](guide/observing.md#looking-inside) says how to read it. In
            management (JMX) the names are one word, `queueFull` for `queue-full`. The last column is the name at the admin port's
            `/metrics`.

            """;

    private static final String GAUGES = """

            ## Gauges

            Levels at this moment. They are read like the counters. The connections of each state are
            counted once a second at most. The values of keys are at `/metrics`, too: `penstock_limit{key="queue"}`, and for bytes and times
            `penstock_limit_bytes{key="pipe-budget"}` and `penstock_limit_seconds{key="queue-age"}`.

            """;
}
