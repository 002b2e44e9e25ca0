package io.penstock.migrate;

import io.penstock.migrate.Report.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps the valves that write access logs: of the server, and of applications. Thread: one. */
final class AccessLogValve {
    private static final String FORMAT = "access-log-format";

    private final Migration migration;
    private final PenstockFiles files;

    AccessLogValve(Migration migration) {
        this.migration = migration;
        files = migration.files;
    }

    /** Maps a valve of the engine or a host. */
    void ofServer(Settings settings) {
        if (isOff(settings)) {
            return;
        }
        Path file = file(settings);
        String problem =
                file == null ? "not the name of a folder" : files.set("access-log", file.toString(), settings.where());
        if (problem != null) {
            settings.giveUp(Outcome.NOT_POSSIBLE, problem);
            return;
        }
        rules(settings);
        settings.tellElement(Outcome.MAPPED, "access-log = " + files.get("access-log") + ", for all hosts");
    }

    /** Maps a valve of a context. Its format and conditions are those of the server, unless the server has none yet. */
    void ofApplications(Settings settings, List<App> apps) {
        if (isOff(settings)) {
            return;
        }
        Path file = file(settings);
        if (file == null || apps.isEmpty()) {
            settings.giveUp(
                    Outcome.NOT_POSSIBLE,
                    file == null
                            ? "not the name of a folder"
                            : "no application has it; set /context:access-log when there is one");
            return;
        }
        for (String attribute : List.of("directory", "prefix", "suffix")) {
            settings.set(attribute, apps, "access-log", file.toString());
        }
        rules(settings);
        settings.tellElement(
                Outcome.MAPPED,
                apps.get(0).location() + ":access-log = " + file
                        + "; its requests are in this log only, not in that of the server, too");
    }

    private static boolean isOff(Settings settings) {
        boolean off = "false".equals(settings.value("enabled"));
        if (off) {
            settings.giveUp(Outcome.NOT_NEEDED, "the log is off");
        }
        return off;
    }

    private @Nullable Path file(Settings settings) {
        String directory = settings.value("directory", "logs");
        Path folder = migration.path(directory);
        if (folder == null) {
            return null;
        }
        // Tomcat itself may still run, so its own folder stays as it is.
        if (folder.startsWith(migration.base)) {
            folder = files.folder(migration.base.relativize(folder).toString());
        }
        String suffix = settings.value("suffix", "");
        String prefix = settings.value("prefix", "access_log");
        // Tomcat writes the date between the two.
        return folder.resolve((suffix.startsWith(".") ? prefix.replaceFirst("\\.$", "") : prefix) + suffix);
    }

    private void rules(Settings settings) {
        format(settings);
        String attribute = settings.value("conditionUnless") == null ? "condition" : "conditionUnless";
        condition(settings, attribute, "access-log-unless");
        condition(settings, "conditionIf", "access-log-if");
        if (!"false".equals(settings.value("rotatable"))) {
            files.set("access-log-rotate", "daily", settings.where());
            if (settings.value("maxDays") == null) {
                files.set("access-log-keep", "0", settings.where()); // Tomcat deletes no file
            }
        }
    }

    private void format(Settings settings) {
        String pattern = settings.value("pattern", "common");
        List<String> without = new ArrayList<>();
        String format;
        try {
            format = switch (settings.kind) {
                case "Valve:JsonAccessLogValve" -> Values.jsonFormat(pattern, without);
                case "Valve:ExtendedAccessLogValve" -> Values.w3cFormat(pattern);
                default -> Values.logFormat(pattern, without);
            };
        } catch (IllegalArgumentException e) {
            files.set(FORMAT, "combined", settings.where());
            settings.notPossible("pattern", e.getMessage() + "; " + FORMAT + " = " + files.get(FORMAT) + " instead");
            return;
        }
        String problem = files.set(FORMAT, format, settings.where());
        if (problem != null) {
            settings.notPossible("pattern", problem);
        } else if (without.isEmpty()) {
            settings.mapped("pattern", FORMAT + " = " + format);
        } else {
            settings.notPossible(
                    "pattern",
                    "without " + String.join(" ", without) + ", which have no field: " + FORMAT + " = " + format);
        }
    }

    /** A condition is the name of an attribute of the request. */
    private static void condition(Settings settings, String attribute, String key) {
        String name = settings.value(attribute);
        if (name == null) {
            return;
        }
        if (name.matches(Values.FIELD_NAME)) {
            settings.set(attribute, key, "x-attribute(" + name + ")");
        } else {
            settings.notPossible(attribute, "no field of the access log can have the name '" + name + "'");
        }
    }
}
