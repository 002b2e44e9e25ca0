package io.penstock.boot.autoconfigure;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Environment variables that Kubernetes gives each container for the services of its namespace. Those of a service called {@code
 * server-penstock} look like properties of this server.
 */
final class ServiceVariables {
    /** As in {@code SERVICE_HOST}, {@code SERVICE_PORT_HTTP}, {@code PORT_8080_TCP} and {@code PORT_8080_TCP_ADDR}. */
    private static final Pattern NAME = Pattern.compile(
            "(.*\\.)?(service\\.(host|port(\\..*)?)|port\\.[0-9]+\\.(tcp|udp|sctp)(\\.(proto|port|addr))?)");

    /** As in {@code PORT=tcp://10.0.0.11:8080}. */
    private static final Pattern PORT = Pattern.compile("(.*\\.)?port");

    private static final Pattern PLACE = Pattern.compile("(tcp|udp|sctp)://.*");

    private ServiceVariables() {}

    /** @param variable a property that comes from an environment variable */
    static boolean contain(@Nullable ConfigurationProperty variable) {
        if (variable == null) {
            return false;
        }
        String name = dotted(variable.getName());
        return NAME.matcher(name).matches()
                || PORT.matcher(name).matches()
                        && PLACE.matcher(variable.getValue().toString()).matches();
    }

    /** Converts both forms of a name, {@code admin-port} and {@code admin.port}, to the second. */
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
