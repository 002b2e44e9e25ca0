package io.penstock.boot.autoconfigure;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Recognises environment variables that Kubernetes sets in each container for the services of the namespace. The variables of a service
 * with the name {@code server-penstock} look like properties of this server.
 */
final class ServiceVariables {
    /**
     * Matches the ends of names such as {@code SERVICE_HOST}, {@code SERVICE_PORT_HTTP}, {@code PORT_8080_TCP} and {@code
     * PORT_8080_TCP_ADDR}.
     */
    private static final Pattern NAME = Pattern.compile(
            "(.*\\.)?(service\\.(host|port(\\..*)?)|port\\.[0-9]+\\.(tcp|udp|sctp)(\\.(proto|port|addr))?)");

    /** Matches the end of the name in {@code PORT=tcp://10.0.0.11:8080}. */
    private static final Pattern PORT = Pattern.compile("(.*\\.)?port");

    private static final Pattern PLACE = Pattern.compile("(tcp|udp|sctp)://.*");

    private ServiceVariables() {}

    /** @param variable the property of an environment variable; null if there is none */
    static boolean contain(@Nullable ConfigurationProperty variable) {
        if (variable == null) {
            return false;
        }
        String name = dotted(variable.getName());
        return NAME.matcher(name).matches()
                || PORT.matcher(name).matches()
                        && PLACE.matcher(variable.getValue().toString()).matches();
    }

    /** Converts a name to its form with dots, for example {@code admin-port} to {@code admin.port}. */
    private static String dotted(ConfigurationPropertyName name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.getNumberOfElements(); i++) {
            text.append(i == 0 ? "" : ".")
                    .append(name.getElement(i, ConfigurationPropertyName.Form.ORIGINAL)
                            .replace('-', '.'));
        }
        return text.toString();
    }
}
