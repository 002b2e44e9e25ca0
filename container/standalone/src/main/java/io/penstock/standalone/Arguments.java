package io.penstock.standalone;

import io.penstock.address.ContextLocation;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments that are not options: {@code [PORT] [APP | /context=APP | //host/context=APP]...}. A single APP has the context {@code /}.
 * If there are several APPs, an APP without a context path has the name of its file as its context. A file with the name ROOT has the
 * context {@code /}.
 *
 * @param port the first argument, if it is a number and not the name of a file
 */
record Arguments(Optional<String> port, List<Application> applications) {

    private static final String WAR = ".war";

    /** @throws OperatorException if an argument is missing, malformed or given twice */
    static Arguments parse(List<String> arguments) {
        boolean startsWithPort = !arguments.isEmpty() && isPort(arguments.get(0));
        List<String> rest = startsWithPort ? arguments.subList(1, arguments.size()) : arguments;
        Map<String, Application> byContext = new LinkedHashMap<>();
        for (String argument : rest) {
            Application application = application(argument, rest.size() == 1);
            Application other = byContext.putIfAbsent(application.location(), application);
            if (other != null) {
                throw OperatorException.usage(
                        "both " + other.content() + " and " + application.content() + " would be the context "
                                + application.location() + "; write /context=APP to tell them apart");
            }
        }
        return new Arguments(
                startsWithPort ? Optional.of(arguments.get(0)) : Optional.empty(), new ArrayList<>(byContext.values()));
    }

    private static boolean isPort(String argument) {
        return argument.matches("[0-9]+") && !Files.exists(Path.of(argument));
    }

    private static Application application(String argument, boolean alone) {
        int equals = argument.indexOf('=');
        if (argument.startsWith("/") && equals > 0 && !Files.exists(path(argument))) {
            return new Application(
                    checked(argument.substring(0, equals), argument), content(argument.substring(equals + 1)));
        }
        Path content = content(argument);
        return new Application(alone ? "/" : checked(contextPathOf(content), argument), content);
    }

    private static Path content(String argument) {
        Path content = path(argument);
        if (argument.isEmpty()) {
            throw OperatorException.usage("an argument names no file or folder: write APP or /context=APP");
        }
        if (!Files.exists(content)) {
            throw new OperatorException(ExitCode.START_FAILED, "no such file or folder: " + argument, null);
        }
        return content;
    }

    /** @throws OperatorException if the text is not a valid file name */
    static Path path(String argument) {
        try {
            return Path.of(argument);
        } catch (InvalidPathException e) {
            throw new OperatorException(ExitCode.USAGE, "not a file name: " + e.getMessage(), e);
        }
    }

    private static String contextPathOf(Path content) {
        Path fileName = content.toAbsolutePath().normalize().getFileName();
        String name = fileName == null ? "" : fileName.toString();
        if (name.toLowerCase(Locale.ROOT).endsWith(WAR)) {
            name = name.substring(0, name.length() - WAR.length());
        }
        return name.equals("ROOT") ? "/" : "/" + name;
    }

    /** Returns the canonical spelling of the location. */
    private static String checked(String location, String argument) {
        ContextLocation found = ContextLocation.read(location);
        if (found == null || !isPath(found.contextPath())) {
            throw OperatorException.usage(
                    location.startsWith("//")
                            ? "the host or the context path '" + location + "' of " + argument
                                    + " is not like //www.example.org/ or //*.example.org/shop"
                            : "the context path '" + location + "' of " + argument
                                    + " is neither / nor like /shop or /shop/admin");
        }
        return found.name();
    }

    private static boolean isPath(String contextPath) {
        return contextPath.isEmpty()
                || contextPath.matches("(/[^/?#;\\\\\\p{Cntrl}]+)+") && !contextPath.matches(".*/\\.\\.?(/.*)?");
    }
}
