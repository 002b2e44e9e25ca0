package io.penstock.standalone;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.limits.ApplicationKey;
import io.penstock.limits.ApplicationSetting;
import io.penstock.limits.ConfigTable;
import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationException;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Key;
import io.penstock.limits.Origin;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.ValueType;
import io.penstock.log.Loggers;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command line: options of its own and one for each {@link Key}. Every failure is one line on the error stream.
 *
 * <p>Thread: the one that calls {@link #execute}, until the server has ended.
 */
final class Command {

    private static final String CONFIG = "--config";
    private static final String PRINT_CONFIG = "--print-config";
    private static final String PRINT_DESCRIPTOR = "--print-descriptor";
    private static final String DUMP = "--dump";
    private static final String HASH_PASSWORD = "--hash-password";
    private static final String DIGEST_REALM = "--digest-realm";
    private static final String OVERRIDE_WEB_XML = "--" + ApplicationKey.OVERRIDE_WEB_XML.id();
    private static final String STACKTRACE = "--stacktrace";

    private static final String CHECK = "--check";
    private static final String HELP = "--help";
    private static final String HELP_ALL = "--help-all";

    private static final int HELP_WIDTH = 110;

    /** What most operators set: all that {@code --help} lists of the keys. */
    private static final Set<Key> COMMON = EnumSet.of(
            Key.HOST,
            Key.PORT,
            Key.ADMIN_PORT,
            Key.WORKERS,
            Key.LOG_LEVEL,
            Key.ACCESS_LOG,
            Key.BODY_LIMIT,
            Key.WEBAPPS,
            Key.SHUTDOWN_TIMEOUT);

    private static final String[] COMMON_FOOTER = {
        "", "A duration is 500ms, 20s, 5m or 1h. Bytes may end with K, M or G. --help-all lists all options."
    };

    private static final String[] FOOTER = {
        "",
        "A duration is 500ms, 20s, 5m or 1h. Bytes may end with K, M or G. Any other unit is a count.",
        "Each option that has a value, but for --config, --dump, --hash-password and --digest-realm, is also a key",
        "of the configuration file (without the dashes) and an environment variable",
        "(PENSTOCK_KEEP_ALIVE_TIMEOUT for --keep-alive-timeout). An option wins over the environment, the environment over the file.",
        "--/CONTEXT:KEY VALUE sets a key for one application; docs/configuration.md lists these keys."
    };

    /** How much of the options is told. */
    private enum Help {
        COMMON,
        ALL
    }

    private final Map<String, String> environment;
    private final PrintWriter out;
    private final PrintWriter err;
    private final CommandLine line;
    private ApplicationOptions applicationOptions = ApplicationOptions.NONE;

    Command(Map<String, String> environment, PrintWriter out, PrintWriter err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
        this.line = new CommandLine(spec(Help.ALL))
                .setOut(out)
                .setErr(err)
                .setExecutionStrategy(this::run)
                .setParameterExceptionHandler(
                        (e, args) -> failed(usage(e), List.of(args).contains(STACKTRACE)));
    }

    /** Runs until the server has ended; gives the exit code. */
    int execute(String... args) {
        try {
            applicationOptions = ApplicationOptions.of(List.of(args));
        } catch (OperatorException e) {
            return failed(e, List.of(args).contains(STACKTRACE));
        }
        return line.execute(applicationOptions.rest().toArray(String[]::new));
    }

    private static CommandSpec spec(Help help) {
        CommandSpec spec = CommandSpec.create().name("java -jar penstock.jar");
        spec.usageMessage()
                .customSynopsis("java -jar penstock.jar [options] [PORT] [APP | /context=APP]...")
                .width(HELP_WIDTH)
                .description("Serves web applications; a slow client never costs a thread.")
                .sortOptions(false)
                .footer(help == Help.COMMON ? COMMON_FOOTER : FOOTER);
        spec.addPositional(PositionalParamSpec.builder()
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("APP")
                .hideParamSyntax(true)
                .description("A .war file, an exploded web application or a folder of files. One APP is served at /;"
                        + " several at the names of their files (ROOT at /), or where /context says.")
                .build());
        spec.addOption(OptionSpec.builder(CONFIG)
                .type(Path.class)
                .paramLabel("FILE")
                .description("Reads keys from a properties file.")
                .build());
        for (Key key : Key.values()) {
            spec.addOption(OptionSpec.builder(key.option())
                    .type(String.class)
                    .paramLabel("<" + unit(key) + ">")
                    .hidden(help == Help.COMMON && !COMMON.contains(key))
                    .description(key.meaning().replace("%", "%%") + ". Default: "
                            + key.defaultShown().replace("`", ""))
                    .build());
        }
        spec.addOption(OptionSpec.builder(OVERRIDE_WEB_XML)
                .hidden(help == Help.COMMON)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("/CONTEXT=FILE")
                .description("Merges a web.xml over that of the application: what it declares wins. May be repeated.")
                .build());
        spec.addOption(flag("Prints each key, its value and where it came from, and ends.", PRINT_CONFIG)
                .build());
        spec.addOption(flag(
                        "Prints what descriptor, fragments and annotations of each APP say together, with where each"
                                + " element comes from, and ends.",
                        PRINT_DESCRIPTOR)
                .hidden(help == Help.COMMON)
                .build());
        spec.addOption(flag(
                        "Tries the configuration and deploys each APP dry, without listening: descriptors are read, fragments"
                                + " merged and classes loaded, but no listener, filter, servlet or initializer runs. Ends with"
                                + " 0, or with 2 and a line for each problem.",
                        CHECK)
                .build());
        spec.addOption(OptionSpec.builder(DUMP)
                .hidden(help == Help.COMMON)
                .type(String.class)
                .paramLabel("PID")
                .description("Prints what the server in that process of this machine does at this moment, and ends.")
                .build());
        spec.addOption(OptionSpec.builder(HASH_PASSWORD)
                .hidden(help == Help.COMMON)
                .type(String.class)
                .paramLabel("NAME")
                .description("Asks for a password, or reads a line from the input, and prints the user's line for the"
                        + " --realm-file; roles go behind its last colon.")
                .build());
        spec.addOption(OptionSpec.builder(DIGEST_REALM)
                .hidden(help == Help.COMMON)
                .type(String.class)
                .paramLabel("REALM")
                .description("With --hash-password: adds what Digest needs in applications with that realm.")
                .build());
        spec.addOption(
                flag("Prints the stack trace behind an error, too.", STACKTRACE).build());
        spec.addOption(
                flag("Prints the options that most servers need.", "-h", HELP).build());
        spec.addOption(flag("Prints all options.", HELP_ALL).build());
        spec.addOption(
                flag("Prints the version.", "-V", "--version").versionHelp(true).build());
        spec.version(Version.line());
        return spec;
    }

    /** What a value counts or measures. */
    private static String unit(Key key) {
        boolean counts = key.type() == ValueType.NUMBER && key.isMeasured();
        return counts || key.unit().startsWith("bytes")
                ? key.unit()
                : key.type().label();
    }

    private static OptionSpec.Builder flag(String description, String name, String... otherNames) {
        return OptionSpec.builder(name, otherNames)
                .type(boolean.class)
                .arity("0")
                .description(description);
    }

    private int run(ParseResult given) {
        Integer version = CommandLine.executeHelpRequest(given);
        if (version != null) {
            return version;
        }
        if (given.hasMatchedOption(HELP) || given.hasMatchedOption(HELP_ALL)) {
            new CommandLine(spec(given.hasMatchedOption(HELP_ALL) ? Help.ALL : Help.COMMON)).usage(out);
            return ExitCode.OK.number();
        }
        boolean trace = given.hasMatchedOption(STACKTRACE);
        try {
            String process = given.matchedOptionValue(DUMP, (String) null);
            if (process != null) {
                return dump(process);
            }
            String user = given.matchedOptionValue(HASH_PASSWORD, (String) null);
            if (user != null) {
                new UserLine(user, given.matchedOptionValue(DIGEST_REALM, (String) null)).print(out);
                return ExitCode.OK.number();
            }
            Arguments arguments = Arguments.parse(given.matchedPositionalValue(0, List.<String>of()));
            Configuration configuration = configuration(given, arguments);
            if (given.hasMatchedOption(PRINT_CONFIG)) {
                out.print(ConfigTable.of(configuration));
                out.flush();
                return ExitCode.OK.number();
            }
            Loggers.use(ServerConfig.of(configuration).log());
            if (arguments.applications().isEmpty() && isDefault(configuration, Key.WEBAPPS)) {
                throw OperatorException.usage("nothing to serve: name a .war file or a folder (--help says more)");
            }
            requireApplications(configuration, arguments.applications());
            if (given.hasMatchedOption(PRINT_DESCRIPTOR)) {
                printDescriptors(arguments.applications(), configuration);
                return ExitCode.OK.number();
            }
            Serving serving = new Serving(configuration, arguments.applications(), out);
            if (given.hasMatchedOption(CHECK)) {
                return check(serving);
            }
            serving.run();
            return ExitCode.OK.number();
        } catch (OperatorException e) {
            int code = failed(e, trace);
            return given.hasMatchedOption(CHECK) ? ExitCode.USAGE.number() : code;
        } catch (ConfigurationException e) {
            return failed(new OperatorException(ExitCode.USAGE, String.valueOf(e.getMessage()), e), trace);
        }
    }

    private int check(Serving serving) {
        List<String> problems = serving.check();
        problems.forEach(this::complain);
        return (problems.isEmpty() ? ExitCode.OK : ExitCode.USAGE).number();
    }

    /** A setting of an application that is not there is a misspelling, unless applications may come later. */
    private static void requireApplications(Configuration configuration, List<Application> applications) {
        for (ApplicationSetting setting : configuration.applicationSettings()) {
            boolean known = applications.stream()
                    .anyMatch(application -> application.contextPath().equals(setting.contextPath()));
            if (!known && isDefault(configuration, Key.WEBAPPS)) {
                throw OperatorException.usage(setting.id() + ": no application has the context path "
                        + setting.contextPath() + " (from " + setting.origin() + ")");
            }
        }
    }

    private static boolean isDefault(Configuration configuration, Key key) {
        return configuration.text(key).equals(key.defaultShown());
    }

    private void printDescriptors(List<Application> applications, Configuration configuration) {
        Penstock.Builder server = Serving.configured(configuration);
        for (Application application : applications) {
            try {
                out.print(server.effectiveDescriptor(application.contextPath(), application.content()));
            } catch (StartException e) {
                throw new OperatorException(ExitCode.START_FAILED, String.valueOf(e.getMessage()), e);
            }
        }
        out.flush();
    }

    private int dump(String process) {
        try {
            new RemoteDump(process).print(out);
            return ExitCode.OK.number();
        } catch (LinkageError e) {
            throw new OperatorException(ExitCode.START_FAILED, DUMP + " needs a whole JDK: " + e, e);
        }
    }

    private Configuration configuration(ParseResult given, Arguments arguments) {
        ConfigurationSources sources = new ConfigurationSources().jar();
        Path file = given.matchedOptionValue(CONFIG, (Path) null);
        if (file != null) {
            sources.file(file);
        }
        sources.environment(environment);
        for (Key key : Key.values()) {
            String text = given.matchedOptionValue(key.option(), (String) null);
            if (text != null) {
                sources.flag(key, text, new Origin.Flag(key.option()));
            }
        }
        applicationOptions.settings().forEach((name, text) -> sources.flag(name, text, new Origin.Flag("--" + name)));
        for (String override : given.matchedOptionValue(OVERRIDE_WEB_XML, List.<String>of())) {
            int equals = override.indexOf('=');
            if (!override.startsWith("/") || equals < 0) {
                throw OperatorException.usage(
                        OVERRIDE_WEB_XML + " needs the context path and the file, /shop=FILE, not " + override);
            }
            String name = override.substring(0, equals) + ":" + ApplicationKey.OVERRIDE_WEB_XML.id();
            sources.flag(name, override.substring(equals + 1), new Origin.Flag(OVERRIDE_WEB_XML));
        }
        arguments.port().ifPresent(port -> {
            if (given.hasMatchedOption(Key.PORT.option())) {
                throw OperatorException.usage("the port is given twice: by " + Key.PORT.option() + " and as " + port);
            }
            sources.flag(Key.PORT, port, new Origin.Flag("argument " + port));
        });
        return sources.resolve();
    }

    private static OperatorException usage(CommandLine.ParameterException e) {
        String message = String.valueOf(e.getMessage());
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched && unmatched.isUnknownOption()) {
            message = "unknown option " + unmatched.getUnmatched().get(0) + " (--help-all lists all)";
        }
        return new OperatorException(ExitCode.USAGE, message, e);
    }

    /** One line. */
    private void complain(String message) {
        err.println("penstock: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
        err.flush();
    }

    private int failed(OperatorException e, boolean trace) {
        complain(String.valueOf(e.getMessage()));
        boolean unforeseen = e.getCause() instanceof StartException start && start.isUnforeseen();
        if (trace || unforeseen) {
            e.printStackTrace(err);
        }
        err.flush();
        return e.exitCode().number();
    }
}
