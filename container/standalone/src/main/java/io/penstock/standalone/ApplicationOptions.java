package io.penstock.standalone;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of applications, {@code --/shop:exclude-scan VALUE} or {@code --/shop:exclude-scan=VALUE}, taken out of the command line.
 *
 * @param settings by their names, without the dashes
 * @param rest all other arguments
 */
record ApplicationOptions(Map<String, String> settings, List<String> rest) {
    static final ApplicationOptions NONE = new ApplicationOptions(Map.of(), List.of());

    private static final String BEGINNING = "--/";

    /** @throws OperatorException if a value is missing, or an option is given twice */
    static ApplicationOptions of(List<String> arguments) {
        Map<String, String> settings = new LinkedHashMap<>();
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith(BEGINNING)) {
                rest.add(argument);
                continue;
            }
            int equals = argument.indexOf('=');
            String name = argument.substring(2, equals < 0 ? argument.length() : equals);
            if (equals < 0 && i + 1 == arguments.size()) {
                throw OperatorException.usage("--" + name + ": a value is missing");
            }
            String value = equals < 0 ? arguments.get(++i) : argument.substring(equals + 1);
            if (settings.putIfAbsent(name, value) != null) {
                throw OperatorException.usage("--" + name + " is given twice");
            }
        }
        return new ApplicationOptions(settings, rest);
    }
}
