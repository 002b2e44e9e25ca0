package io.penstock.standalone;

import io.penstock.limits.ApplicationKey;
import org.jspecify.annotations.Nullable;

/** The options of the command line that are not configuration keys, in the order of the help. */
enum CommandOption {
    CONFIG("config", "FILE", HelpText.Extent.COMMON, "Reads settings from a properties file."),
    OVERRIDE_WEB_XML(
            ApplicationKey.OVERRIDE_WEB_XML.id(),
            "/CONTEXT=FILE",
            HelpText.Extent.ALL,
            "Merges FILE, a web.xml, over the web.xml of the application: elements of FILE win. May be repeated."),
    PRINT_CONFIG(
            "print-config", HelpText.Extent.COMMON, "Prints each key, its value and where it came from, and ends."),
    CHANGED(
            "changed",
            HelpText.Extent.ALL,
            "With --print-config: prints only the keys whose values differ from their defaults, and the settings of applications."),
    PRINT_DESCRIPTOR(
            "print-descriptor",
            HelpText.Extent.ALL,
            "Prints the merged descriptor, fragments and annotations of each APP, with the origin of each element,"
                    + " and ends."),
    CHECK(
            "check",
            HelpText.Extent.COMMON,
            "Checks the configuration and each APP, without listening or running it. Ends with 0, or with 2 and a line for each"
                    + " problem."),
    DEV(
            "dev",
            HelpText.Extent.ALL,
            "For developers: serves each APP, a folder, with the latest files. A new version starts when classes,"
                    + " libraries or descriptors have changed and are complete; requests wait for it, and a failure is"
                    + " shown in the browser."),
    SOURCES(
            "sources",
            "FOLDER",
            HelpText.Extent.ALL,
            "With --dev: Java sources of the APP, which the server compiles when they change. The compiler's errors are shown in"
                    + " the browser and in the log. Needs a JDK. May be repeated."),
    TRAIN(
            "train",
            HelpText.Extent.ALL,
            "Makes a class-data archive, so that later starts are faster, and ends. To do so, it starts all APPs as"
                    + " configured, but at a free port of this machine, requests a page of each, and stops them."),
    TRAIN_TO(
            "train-to",
            "FILE",
            HelpText.Extent.ALL,
            "With --train: file of the archive. Default: penstock.jsa beside penstock.jar, or penstock.aot with Java 25 and"
                    + " later."),
    DUMP(
            "dump",
            "PID",
            HelpText.Extent.ALL,
            "Prints the state of the server in process PID of this machine (connections, workers, counters), and ends."),
    RELOAD(
            "reload",
            "PID",
            HelpText.Extent.ALL,
            "Makes the server in process PID of this machine read its configuration, certificates, users and rules again, and"
                    + " ends: with 0; with 4 and a list of settings if changed settings need a restart; with 2 if there is an error and"
                    + " nothing has changed."),
    HASH_PASSWORD(
            "hash-password",
            "NAME",
            HelpText.Extent.ALL,
            "Asks for a password, or reads it from the standard input, and prints the user's line for --realm-file. Add roles"
                    + " behind its last colon."),
    DIGEST_REALM(
            "digest-realm",
            "REALM",
            HelpText.Extent.ALL,
            "With --hash-password: adds the hash for DIGEST logins of applications with that realm name."),
    MIGRATE(
            "migrate",
            "CATALINA_BASE",
            HelpText.Extent.COMMON,
            "Translates the configuration of Tomcat in that folder, with a report."),
    MIGRATE_TO(
            "migrate-to",
            "FOLDER",
            HelpText.Extent.ALL,
            "With --migrate: the folder for the result, which is checked like --check. It must be empty or not exist. Default:"
                    + " penstock-conf."),
    STACKTRACE("stacktrace", HelpText.Extent.COMMON, "Also prints the stack trace of an error."),
    HELP("help", "h", null, HelpText.Extent.COMMON, "Prints the options that most servers need."),
    HELP_ALL("help-all", HelpText.Extent.COMMON, "Prints all options."),
    VERSION("version", "V", null, HelpText.Extent.COMMON, "Prints the version.");

    private final String id;
    private final @Nullable String letter;
    private final @Nullable String label;
    private final HelpText.Extent extent;
    private final String description;

    CommandOption(String id, HelpText.Extent extent, String description) {
        this(id, null, null, extent, description);
    }

    CommandOption(String id, String label, HelpText.Extent extent, String description) {
        this(id, null, label, extent, description);
    }

    CommandOption(
            String id, @Nullable String letter, @Nullable String label, HelpText.Extent extent, String description) {
        this.id = id;
        this.letter = letter;
        this.label = label;
        this.extent = extent;
        this.description = description;
    }

    /** The name without the dashes. */
    String id() {
        return id;
    }

    /** The option as written on the command line. */
    String written() {
        return "--" + id;
    }

    /** The short form of the option, without the dash; null if there is none. */
    @Nullable
    String letter() {
        return letter;
    }

    /** The placeholder for the value in the help; null if the option has no value. */
    @Nullable
    String label() {
        return label;
    }

    /** The shortest help text that lists the option. */
    HelpText.Extent extent() {
        return extent;
    }

    String description() {
        return description;
    }
}
