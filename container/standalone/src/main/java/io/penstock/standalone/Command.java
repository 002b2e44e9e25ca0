package io.penstock.standalone;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.address.ContextLocation;
import io.penstock.address.HostTable;
import io.penstock.admin.ConfigTable;
import io.penstock.limits.ApplicationKey;
import io.penstock.limits.ApplicationSetting;
import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationException;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Key;
import io.penstock.limits.Origin;
import io.penstock.limits.ServerConfig;
import io.penstock.log.Loggers;
import io.penstock.migrate.Migration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the command line. Its options are those of {@link CommandOption}, and one option for each {@link Key}. Each failure is one line on
 * the error stream.
 *
 * <p>Thread: the thread that calls {@link #execute}, until the server has ended.
 */
final class Command {
    /** The folder for a migrated configuration, if the command line names none. */
    private static final String MIGRATED = "penstock-conf";

    private final Map<String, String> environment;
    private final PrintWriter out;
    private final PrintWriter err;
    private final @Nullable TrainingRun training;
    private final @Nullable Distribution distribution;

    /**
     * @param training the training to run with the server; null for a normal server
     * @param distribution the installed release, which has a configuration and applications; null if only the jar is known
     */
    Command(
            Map<String, String> environment,
            PrintWriter out,
            PrintWriter err,
            @Nullable TrainingRun training,
            @Nullable Distribution distribution) {
        this.environment = environment;
        this.out = out;
        this.err = err;
        this.training = training;
        this.distribution = distribution;
    }

    /** Executes the command line, and waits for the end of the server if it starts one. Returns the exit code. */
    int execute(String... args) {
        boolean trace = List.of(args).contains(CommandOption.STACKTRACE.written());
        boolean checks = false;
        try {
            ApplicationOptions ofApplications =
                    ApplicationOptions.of(withOption(ArgumentFiles.expanded(List.of(args))));
            GivenOptions given = GivenOptions.parse(ofApplications.rest());
            trace = given.has(CommandOption.STACKTRACE);
            checks = given.has(CommandOption.CHECK);
            return run(given, ofApplications, List.of(args)).number();
        } catch (OperatorException e) {
            ExitCode code = failed(e, trace);
            return (checks ? ExitCode.USAGE : code).number();
        } catch (ConfigurationException e) {
            return failed(new OperatorException(ExitCode.USAGE, String.valueOf(e.getMessage()), e), trace)
                    .number();
        } catch (RuntimeException e) {
            // This is an unexpected error. The process must end, even if threads of the failed server still run.
            e.printStackTrace(err);
            return ExitCode.START_FAILED.number();
        }
    }

    /** The arguments, with the word {@code migrate} at their beginning as an option. A file or folder of that name is an APP. */
    private static List<String> withOption(List<String> arguments) {
        String word = CommandOption.MIGRATE.id();
        if (arguments.isEmpty() || !arguments.get(0).equals(word) || Files.exists(Path.of(word))) {
            return arguments;
        }
        List<String> options = new ArrayList<>(arguments);
        options.set(0, CommandOption.MIGRATE.written());
        return options;
    }

    /** @param all all arguments of the command line, unchanged */
    private ExitCode run(GivenOptions given, ApplicationOptions ofApplications, List<String> all) {
        String process = given.value(CommandOption.DUMP);
        String reloaded = given.value(CommandOption.RELOAD);
        String user = given.value(CommandOption.HASH_PASSWORD);
        String tomcat = given.value(CommandOption.MIGRATE);
        if (given.has(CommandOption.VERSION)) {
            out.println(Version.line());
        } else if (given.has(CommandOption.HELP_ALL)) {
            HelpText.print(HelpText.Extent.ALL, out);
        } else if (given.has(CommandOption.HELP)) {
            HelpText.print(HelpText.Extent.COMMON, out);
        } else if (process != null) {
            return remotely(CommandOption.DUMP, () -> {
                new RemoteDump(process).print(out);
                return ExitCode.OK;
            });
        } else if (reloaded != null) {
            return remotely(CommandOption.RELOAD, () -> new RemoteReload(reloaded).run(out));
        } else if (user != null) {
            new UserLine(user, given.value(CommandOption.DIGEST_REALM)).print(out);
        } else if (tomcat != null) {
            return migrate(tomcat, given.value(CommandOption.MIGRATE_TO));
        } else if (given.has(CommandOption.MIGRATE_TO)) {
            throw OperatorException.usage(
                    CommandOption.MIGRATE_TO.written() + " needs " + CommandOption.MIGRATE.written());
        } else {
            return serve(given, ofApplications, all);
        }
        return ExitCode.OK;
    }

    private ExitCode migrate(String source, @Nullable String target) {
        Migration migration;
        try {
            migration = Migration.run(Arguments.path(source), Arguments.path(target == null ? MIGRATED : target));
        } catch (IOException e) {
            throw new OperatorException(ExitCode.START_FAILED, "cannot migrate: " + e.getMessage(), e);
        }
        migration.toDecide().forEach(out::println);
        out.println(migration.summary() + "; all are in " + migration.report());
        List<String> check = new ArrayList<>(migration.arguments());
        check.add(CommandOption.CHECK.written());
        if (!migration.hasApplications()) {
            out.println("No application was found: add them to the start, as /context=APP");
            check.add("/=" + migration.folder()); // the check needs something to serve
        }
        out.println("Start: " + migration.startCommand());
        out.flush();
        ApplicationOptions ofApplications = ApplicationOptions.of(check);
        return serve(GivenOptions.parse(ofApplications.rest()), ofApplications, check);
    }

    private ExitCode serve(GivenOptions given, ApplicationOptions ofApplications, List<String> all) {
        Arguments arguments = Arguments.parse(given.arguments());
        Configuration configuration = configuration(given, ofApplications, arguments);
        if (given.has(CommandOption.PRINT_CONFIG)) {
            out.print(
                    given.has(CommandOption.CHANGED)
                            ? ConfigTable.changed(configuration)
                            : ConfigTable.of(configuration));
            out.flush();
            return ExitCode.OK;
        }
        if (given.has(CommandOption.CHANGED)) {
            throw OperatorException.usage(
                    CommandOption.CHANGED.written() + " needs " + CommandOption.PRINT_CONFIG.written());
        }
        Loggers.use(ServerConfig.of(configuration).log());
        if (arguments.applications().isEmpty() && isDefault(configuration, Key.WEBAPPS)) {
            throw OperatorException.usage("nothing to serve: name a .war file or a folder (see --help)");
        }
        requireApplications(configuration, arguments.applications());
        if (given.has(CommandOption.PRINT_DESCRIPTOR)) {
            printDescriptors(arguments.applications(), configuration);
            return ExitCode.OK;
        }
        Serving.Purpose purpose = given.has(CommandOption.DEV) ? Serving.Purpose.DEVELOPMENT : Serving.Purpose.USE;
        requireFolders(purpose, arguments.applications());
        Serving serving = new Serving(
                configuration,
                arguments.applications(),
                purpose,
                sources(given, purpose, arguments.applications()),
                out,
                () -> configuration(given, ofApplications, arguments));
        if (given.has(CommandOption.CHECK)) {
            return check(serving);
        }
        if (training != null) {
            serving.run(server ->
                    training.visit(server, ServerConfig.of(configuration).tls()));
        } else if (given.has(CommandOption.TRAIN)) {
            String archive = given.value(CommandOption.TRAIN_TO);
            return new Training(all, archive == null ? null : Arguments.path(archive), out).run();
        } else {
            serving.run(Penstock::await);
        }
        return ExitCode.OK;
    }

    private static void requireFolders(Serving.Purpose purpose, List<Application> applications) {
        for (Application application : applications) {
            if (purpose == Serving.Purpose.DEVELOPMENT && !Files.isDirectory(application.content())) {
                throw OperatorException.usage(
                        CommandOption.DEV.written() + " serves folders, but " + application.content() + " is a file");
            }
        }
    }

    private static List<Path> sources(GivenOptions given, Serving.Purpose purpose, List<Application> applications) {
        List<Path> folders = new ArrayList<>();
        for (String folder : given.values(CommandOption.SOURCES)) {
            Path path = Arguments.path(folder);
            if (!Files.isDirectory(path)) {
                throw OperatorException.usage(CommandOption.SOURCES.written() + ": no such folder: " + folder);
            }
            folders.add(path);
        }
        if (!folders.isEmpty() && (purpose != Serving.Purpose.DEVELOPMENT || applications.size() != 1)) {
            throw OperatorException.usage(CommandOption.SOURCES.written() + " needs " + CommandOption.DEV.written()
                    + " and one APP, which the sources belong to");
        }
        return folders;
    }

    private ExitCode check(Serving serving) {
        List<String> problems = serving.check();
        problems.forEach(this::complain);
        return problems.isEmpty() ? ExitCode.OK : ExitCode.USAGE;
    }

    /**
     * Treats a setting for an unknown application as a spelling mistake. With the key {@code webapps}, applications can be added later, so
     * such a setting is allowed.
     */
    private static void requireApplications(Configuration configuration, List<Application> applications) {
        for (ApplicationSetting setting : configuration.applicationSettings()) {
            boolean known = applications.stream().anyMatch(application -> isFor(setting, application));
            if (!known && isDefault(configuration, Key.WEBAPPS)) {
                throw OperatorException.usage(setting.id() + ": no application has the "
                        + (setting.key().isOfHost() ? "host of " : "context path ") + setting.location()
                        + " (from " + setting.origin() + ")");
            }
        }
    }

    private static boolean isFor(ApplicationSetting setting, Application application) {
        if (setting.key().isOfPath()) {
            return ContextLocation.parse(application.location()).covers(ContextLocation.parse(setting.location()));
        }
        if (!setting.key().isOfHost()) {
            return application.location().equals(setting.location());
        }
        String host = ContextLocation.parse(setting.location()).host();
        String ofApplication = ContextLocation.parse(application.location()).host();
        return ofApplication.equals(host)
                || new HostTable<>(Map.of(host, setting)).find(ofApplication.replace("*", "any")) != null;
    }

    static boolean isDefault(Configuration configuration, Key key) {
        return configuration.text(key).equals(key.defaultShown());
    }

    private void printDescriptors(List<Application> applications, Configuration configuration) {
        Penstock.Builder server = Serving.configured(configuration);
        for (Application application : applications) {
            try {
                out.print(server.effectiveDescriptor(application.location(), application.content()));
            } catch (StartException e) {
                throw new OperatorException(ExitCode.START_FAILED, String.valueOf(e.getMessage()), e);
            }
        }
        out.flush();
    }

    private static ExitCode remotely(CommandOption option, Supplier<ExitCode> question) {
        try {
            return question.get();
        } catch (LinkageError e) {
            throw new OperatorException(ExitCode.START_FAILED, option.written() + " needs a whole JDK: " + e, e);
        }
    }

    private Configuration configuration(GivenOptions given, ApplicationOptions ofApplications, Arguments arguments) {
        ConfigurationSources sources = new ConfigurationSources().jar();
        String file = given.value(CommandOption.CONFIG);
        if (file != null) {
            sources.file(Arguments.path(file));
        } else if (distribution != null && servesDistribution(given, arguments)) {
            distribution.addTo(sources, environment);
        }
        sources.environment(environment);
        for (Key key : Key.values()) {
            String text = given.value(key);
            if (text != null) {
                sources.flag(key, text, new Origin.Flag(key.option()));
            }
        }
        ofApplications.settings().forEach((name, text) -> sources.flag(name, text, new Origin.Flag("--" + name)));
        String overrideOption = CommandOption.OVERRIDE_WEB_XML.written();
        for (String override : given.values(CommandOption.OVERRIDE_WEB_XML)) {
            int equals = override.indexOf('=');
            if (!override.startsWith("/") || equals < 0) {
                throw OperatorException.usage(
                        overrideOption + " needs the context path and the file, /shop=FILE, not " + override);
            }
            String name = override.substring(0, equals) + ":" + ApplicationKey.OVERRIDE_WEB_XML.id();
            sources.flag(name, override.substring(equals + 1), new Origin.Flag(overrideOption));
        }
        arguments.port().ifPresent(port -> {
            if (given.value(Key.PORT) != null) {
                throw OperatorException.usage("the port is given twice: by " + Key.PORT.option() + " and as " + port);
            }
            sources.flag(Key.PORT, port, new Origin.Flag("argument " + port));
        });
        return training == null ? sources.resolve() : training.of(sources);
    }

    /** Whether the server serves the applications of the installed release. */
    private static boolean servesDistribution(GivenOptions given, Arguments arguments) {
        return arguments.applications().isEmpty()
                && given.value(Key.WEBAPPS) == null
                && !given.has(CommandOption.DEV)
                && !given.has(CommandOption.PRINT_DESCRIPTOR);
    }

    /** Prints a message as one line. */
    private void complain(String message) {
        err.println("penstock: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
        err.flush();
    }

    private ExitCode failed(OperatorException e, boolean trace) {
        complain(String.valueOf(e.getMessage()));
        boolean unforeseen = e.getCause() instanceof StartException start && start.isUnforeseen();
        if (trace || unforeseen) {
            e.printStackTrace(err);
        }
        err.flush();
        return e.exitCode();
    }
}
