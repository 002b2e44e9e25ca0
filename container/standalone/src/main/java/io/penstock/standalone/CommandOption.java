package io.penstock.standalone;

import io.penstock.limits.ApplicationKey;
import org.jspecify.annotations.Nullable;

/** An option of the command line that is no configuration key. In the order of the help. */
enum CommandOption {
    CONFIG("config", "FILE", HelpText.Extent.COMMON, "Reads keys from a properties file."),
    OVERRIDE_WEB_XML(
            ApplicationKey.OVERRIDE_WEB_XML.id(),
            "/CONTEXT=FILE",
            HelpText.Extent.ALL,
            "Merges a web.xml over that of the application: what it declares wins. May be repeated."),
    PRINT_CONFIG(
            "print-config", HelpText.Extent.COMMON, "Prints each key, its value and where it came from, and ends."),
    PRINT_DESCRIPTOR(
            "print-descriptor",
            HelpText.Extent.ALL,
            "Prints what descriptor, fragments and annotations of each APP say together, with where each element comes"
                    + " from, and ends."),
    CHECK(
            "check",
            HelpText.Extent.COMMON,
            "Tries the configuration and deploys each APP dry, without listening: descriptors are read, fragments merged"
                    + " and classes loaded, but no listener, filter, servlet or initializer runs. Ends with 0, or with 2 and"
                    + " a line for each problem."),
    DEV(
            "dev",
            HelpText.Extent.ALL,
            "For developers: serves each APP, a folder, as it is at each moment. A new version starts when classes,"
                    + " libraries or descriptors have changed and come to rest; requests wait for it, and a failure is"
                    + " shown in the browser."),
    TRAIN(
            "train",
            HelpText.Extent.ALL,
            "Makes a class-data archive, with which the server starts faster, and ends: starts all APPs as"
                    + " configured, but at a free port of this machine, asks each for a page, and stops them."),
    TRAIN_TO(
            "train-to",
            "FILE",
            HelpText.Extent.ALL,
            "With --train: the archive. Default: penstock.jsa beside penstock.jar, or penstock.aot with Java 25 and"
                    + " later."),
    DUMP(
            "dump",
            "PID",
            HelpText.Extent.ALL,
            "Prints what the server in that process of this machine does at this moment, and ends."),
    RELOAD(
            "reload",
            "PID",
            HelpText.Extent.ALL,
            "Lets the server in that process of this machine read its configuration, certificates, users and rules again, and"
                    + " ends: with 0; with 4 and their names if changed settings need a restart; with 2 if something is wrong and"
                    + " nothing has changed."),
    HASH_PASSWORD(
            "hash-password",
            "NAME",
            HelpText.Extent.ALL,
            "Asks for a password, or reads a line from the input, and prints the user's line for the --realm-file; roles"
                    + " go behind its last colon."),
    DIGEST_REALM(
            "digest-realm",
            "REALM",
            HelpText.Extent.ALL,
            "With --hash-password: adds what Digest needs in applications with that realm."),
    STACKTRACE("stacktrace", HelpText.Extent.COMMON, "Prints the stack trace behind an error, too."),
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

    /** Without the dashes. */
    String id() {
        return id;
    }

    /** As it is written. */
    String written() {
        return "--" + id;
    }

    /** A short form, without the dash; null if there is none. */
    @Nullable
    String letter() {
        return letter;
    }

    /** Stands for the value in the help; null if the option has none. */
    @Nullable
    String label() {
        return label;
    }

    /** The shortest help that lists it. */
    HelpText.Extent extent() {
        return extent;
    }

    String description() {
        return description;
    }
}
