package io.penstock.standalone;

import io.penstock.limits.ClosestName;
import io.penstock.limits.Key;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;
import org.jspecify.annotations.Nullable;

/**
 * The options and other arguments of one command line. The possible options are those of {@link CommandOption}, and one option for each
 * {@link Key}.
 */
final class GivenOptions {
    private static final Set<String> REPEATABLE =
            Set.of(CommandOption.OVERRIDE_WEB_XML.id(), CommandOption.SOURCES.id(), Key.LISTEN.id());

    private final CommandLine line;

    private GivenOptions(CommandLine line) {
        this.line = line;
    }

    /** @throws OperatorException if an option is unknown, has no value, or is given twice */
    static GivenOptions parse(List<String> arguments) {
        DefaultParser parser = DefaultParser.builder()
                .setAllowPartialMatching(false)
                .setStripLeadingAndTrailingQuotes(false)
                .get();
        try {
            CommandLine line = parser.parse(all(), arguments.toArray(String[]::new));
            requireOnce(line);
            return new GivenOptions(line);
        } catch (UnrecognizedOptionException e) {
            throw failure(unrecognized(e.getOption().replaceFirst("=.*", "")), e);
        } catch (MissingArgumentException e) {
            throw failure("Missing required parameter for option " + shown(e.getOption()), e);
        } catch (ParseException e) {
            throw failure(String.valueOf(e.getMessage()), e);
        }
    }

    /** @param option the option without its value, which can be a secret */
    private static String unrecognized(String option) {
        String name = option.replaceFirst("^--", "");
        Options all = all();
        if (all.hasLongOption(name)) {
            return "option " + option + " has no value";
        }
        String replacement = Key.replacementOf(name);
        if (replacement != null) {
            return option + " " + replacement;
        }
        Stream<String> names = all.getOptions().stream().map(Option::getLongOpt);
        return "unknown option " + option + ClosestName.questionOfKeys(name, names, closest -> "--" + closest) + " ("
                + CommandOption.HELP_ALL.written() + " lists all)";
    }

    private static OperatorException failure(String message, ParseException e) {
        return new OperatorException(ExitCode.USAGE, message, e);
    }

    private static Options all() {
        Options all = new Options();
        for (CommandOption option : CommandOption.values()) {
            all.addOption(Option.builder(option.letter())
                    .longOpt(option.id())
                    .hasArg(option.label() != null)
                    .get());
        }
        for (Key key : Key.values()) {
            all.addOption(Option.builder().longOpt(key.id()).hasArg().get());
        }
        return all;
    }

    private static void requireOnce(CommandLine line) {
        for (Option option : line.getOptions()) {
            if (!REPEATABLE.contains(option.getLongOpt()) && line.getOptionCount(option) > 1) {
                throw OperatorException.usage("option " + shown(option) + " should be specified only once");
            }
        }
    }

    /** The name and the placeholder of an option, for messages. */
    private static String shown(Option option) {
        String label = option.hasArg() ? " (" + label(option.getLongOpt()) + ")" : "";
        return "'--" + option.getLongOpt() + "'" + label;
    }

    private static @Nullable String label(String id) {
        return Key.named(id).map(HelpText::label).orElseGet(() -> {
            for (CommandOption option : CommandOption.values()) {
                if (option.id().equals(id)) {
                    return option.label();
                }
            }
            return null;
        });
    }

    boolean has(CommandOption option) {
        return line.hasOption(option.id());
    }

    /** The value of the option; null if the command line does not contain the option. */
    @Nullable
    String value(CommandOption option) {
        return line.getOptionValue(option.id());
    }

    /** The values of a repeatable option, in their order. */
    List<String> values(CommandOption option) {
        String[] values = line.getOptionValues(option.id());
        return values == null ? List.of() : List.of(values);
    }

    /**
     * The value of the key's option. Several values are separated by commas. The result is null if the command line does not contain the
     * option.
     */
    @Nullable
    String value(Key key) {
        String[] values = line.getOptionValues(key.id());
        return values == null ? null : String.join(",", values);
    }

    /** The arguments that are not options. */
    List<String> arguments() {
        return line.getArgList();
    }
}
