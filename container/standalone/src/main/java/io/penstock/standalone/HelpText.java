package io.penstock.standalone;

import io.penstock.limits.Key;
import io.penstock.limits.ValueType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.cli.help.TableDefinition;
import org.apache.commons.cli.help.TextHelpAppendable;
import org.apache.commons.cli.help.TextStyle;
import org.jspecify.annotations.Nullable;

/** The text that {@code --help} and {@code --help-all} print. */
final class HelpText {
    private static final int WIDTH = 110;
    private static final int GAP = 2;

    /** The keys that {@code --help} lists. Most operators set these keys. */
    private static final Set<Key> COMMON = EnumSet.of(
            Key.HOST,
            Key.PORT,
            Key.TLS_CERT,
            Key.ADMIN_PORT,
            Key.WORKERS,
            Key.LOG_LEVEL,
            Key.ACCESS_LOG,
            Key.BODY_LIMIT,
            Key.WEBAPPS,
            Key.SHUTDOWN_TIMEOUT);

    private static final String USAGE =
            "Usage: java -jar penstock.jar [options] [PORT] [APP | /context=APP | //host/context=APP]...";

    private static final String PURPOSE = "Serves web applications; a slow client never costs a thread.";

    private static final String APP =
            "A .war file, an exploded web application or a folder of files. One APP is served at"
                    + " /; several APPs at the names of their files (ROOT at /), or at the given /context or //host/context.";

    private static final String COMMON_END =
            "A duration is 500ms, 20s, 5m or 1h. Bytes may end with K, M or G. --help-all lists all options.";

    private static final List<String> END = List.of(
            "A duration is 500ms, 20s, 5m or 1h. Bytes may end with K, M or G. Any other unit is a count.",
            "Options with a value are also keys of the configuration file (without the dashes) and environment variables"
                    + " (PENSTOCK_KEEP_ALIVE_TIMEOUT for --keep-alive-timeout), except --config, --override-web-xml,"
                    + " --sources, --train-to, --dump, --reload, --hash-password, --digest-realm, --migrate and --migrate-to. An"
                    + " option wins over the environment, the environment over the file.",
            "--/CONTEXT:KEY VALUE sets a key for one application; docs/configuration.md lists these keys.",
            "@FILE stands for the arguments in that file.");

    private HelpText() {}

    /** The extent of the help text. */
    enum Extent {
        COMMON,
        ALL
    }

    static void print(Extent extent, PrintWriter out) {
        TextHelpAppendable text = new TextHelpAppendable(out);
        text.setMaxWidth(WIDTH);
        text.setLeftPad(0);
        text.setIndent(0);
        try {
            text.printWrapped(USAGE);
            text.printWrapped(PURPOSE);
            text.appendTable(options(extent));
            for (String paragraph : extent == Extent.COMMON ? List.of(COMMON_END) : END) {
                text.printWrapped(paragraph);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.flush();
    }

    private static TableDefinition options(Extent extent) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("      [APP]...", APP));
        for (CommandOption option : CommandOption.values()) {
            if (option == CommandOption.OVERRIDE_WEB_XML) { // the list of keys follows --config
                addKeys(extent, rows);
            }
            if (extent.compareTo(option.extent()) >= 0) {
                rows.add(row(option.letter(), option.id(), option.label(), option.description()));
            }
        }
        TextStyle.Builder style = TextStyle.builder().setScalable(false);
        TextStyle names = style.get();
        TextStyle descriptions = style.setLeftPad(GAP).setScalable(true).get();
        return TableDefinition.from("", List.of(names, descriptions), List.of("", ""), rows);
    }

    private static void addKeys(Extent extent, List<List<String>> rows) {
        for (Key key : Key.values()) {
            if (extent == Extent.ALL || COMMON.contains(key)) {
                String byDefault = key.defaultShown().replace("`", "");
                rows.add(row(null, key.id(), label(key), key.meaning() + ". Default: " + byDefault));
            }
        }
    }

    private static List<String> row(@Nullable String letter, String id, @Nullable String label, String description) {
        String name = (letter == null ? "      --" : "  -" + letter + ", --") + id;
        return List.of(label == null ? name : name + "=" + label, description);
    }

    /** The placeholder for the value of the key's option: the unit or the type of the value. */
    static String label(Key key) {
        boolean counts = key.type() == ValueType.NUMBER && key.isMeasured();
        return "<"
                + (counts || key.unit().startsWith("bytes")
                        ? key.unit()
                        : key.type().label())
                + ">";
    }
}
