package io.penstock.limits;

import io.penstock.limits.ServerConfig.Node;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The log settings of {@code penstock.jar}. An embedded server logs through slf4j, like its program, and ignores these settings. {@link
 * Key} explains the values.
 *
 * @param node the name of this server among several, see {@link Node#name}
 */
public record ServerLogging(Level rest, Map<String, Level> levels, Format format, String node) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*(\\.[A-Za-z_$][A-Za-z0-9_$]*)*");

    /** The levels, from the least to the most serious. */
    public enum Level {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR,
        /** No records are written. */
        OFF
    }

    /** The format of a record. */
    public enum Format {
        TEXT,
        JSON
    }

    public ServerLogging {
        levels = Map.copyOf(levels);
    }

    public static ServerLogging defaults() {
        return new ServerLogging(Level.INFO, Map.of(), Format.TEXT, "");
    }

    static ServerLogging of(Configuration given) {
        Level rest = Level.INFO;
        Map<String, Level> levels = new LinkedHashMap<>();
        for (String part : given.text(Key.LOG_LEVEL).split(",", -1)) {
            int equals = part.indexOf('=');
            String word = part.substring(equals + 1).strip().toLowerCase(Locale.ROOT);
            Level level = Allowed.choice(Key.LOG_LEVEL, word, Level.class);
            if (equals < 0) {
                rest = level;
            } else {
                levels.put(name(part.substring(0, equals).strip()), level);
            }
        }
        Format format = given.choice(Key.LOG_FORMAT);
        return new ServerLogging(rest, levels, format, Node.of(given).name());
    }

    private static String name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new BadValueException(Key.LOG_LEVEL, "needs the name of a logger before '=', not '" + name + "'");
        }
        return name;
    }

    /** The lowest level that the logger of this name writes. If several entries apply, the entry with the longest name decides. */
    public Level level(String logger) {
        for (String name = logger; !name.isEmpty() && !levels.isEmpty(); ) {
            Level level = levels.get(name);
            if (level != null) {
                return level;
            }
            name = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        }
        return rest;
    }
}
