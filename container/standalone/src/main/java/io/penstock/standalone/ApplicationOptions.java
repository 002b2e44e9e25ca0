package io.penstock.standalone;

import io.penstock.limits.ApplicationKey;
import io.penstock.limits.Key;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The options of single applications, and all other arguments of a command line. An option of an application is {@code --/shop:exclude-scan
 * VALUE} or {@code --/shop:exclude-scan=VALUE}. A switch without a value means {@code on}.
 *
 * @param settings the values of the application options, by the names of the options without dashes
 * @param rest all other arguments; a switch without a value has been completed with {@code =on}
 */
record ApplicationOptions(Map<String, String> settings, List<String> rest) {
    static final ApplicationOptions NONE = new ApplicationOptions(Map.of(), List.of());

    private static final String BEGINNING = "--/";
    private static final Set<String> SWITCHES =
            Set.of(Key.MIGRATE_JAVAX.option(), Key.TLS_SELF_SIGNED.option(), Key.ADMIN_TLS.option());
    private static final String SWITCH_OF_APPLICATION = ":" + ApplicationKey.MIGRATE_JAVAX.id();

    /** @throws OperatorException if a value is missing, or an option is given twice */
    static ApplicationOptions of(List<String> arguments) {
        Map<String, String> settings = new LinkedHashMap<>();
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            boolean isSwitch = SWITCHES.contains(argument)
                    || argument.startsWith(BEGINNING) && argument.endsWith(SWITCH_OF_APPLICATION);
            boolean hasValue = i + 1 < arguments.size() && (!isSwitch || isState(arguments.get(i + 1)));
            if (isSwitch && !hasValue) {
                argument += "=on";
            }
            if (!argument.startsWith(BEGINNING)) {
                rest.add(argument);
                continue;
            }
            int equals = argument.indexOf('=');
            String name = argument.substring(2, equals < 0 ? argument.length() : equals);
            if (equals < 0 && !hasValue) {
                throw OperatorException.usage("--" + name + ": a value is missing");
            }
            String value = equals < 0 ? arguments.get(++i) : argument.substring(equals + 1);
            if (settings.putIfAbsent(name, value) != null) {
                throw OperatorException.usage("--" + name + " is given twice");
            }
        }
        return new ApplicationOptions(settings, rest);
    }

    private static boolean isState(String argument) {
        return argument.equals("on") || argument.equals("off");
    }
}
