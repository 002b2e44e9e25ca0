package io.penstock.limits;

import io.penstock.address.IpLiteral;
import io.penstock.limits.ListenAddress.BindAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses one of the URLs of {@link Key#LISTEN}. A URL has an address, and optionally a question mark and options, separated by {@code &}. */
final class ListenUrl {
    private static final String EXAMPLES =
            "http://127.0.0.1:8080, https://:8443, unix:/run/penstock/http.sock or inherited:";
    private static final String UNIX = "unix:";
    private static final String INHERITED = "inherited:";
    private static final String MODE = "mode";
    private static final String TLS = "tls";
    private static final String ALL_ADDRESSES = "0.0.0.0";
    private static final int MAX_PORT = 65535;
    private static final int HTTP_PORT = 80;
    private static final Pattern NETWORK = Pattern.compile("(https?)://(\\[[^\\]]*\\]|[^:/\\[\\]]*)(:[^/]*)?/?");
    private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}");
    private static final Pattern OCTAL = Pattern.compile("0?[0-7]{3}");

    /** The permissions in the order of their bits in a file mode, the highest bit first. */
    private static final PosixFilePermission[] PERMISSIONS = PosixFilePermission.values();

    private final String text;
    private final String address; // the text before the question mark
    private final Map<String, String> options = new HashMap<>(); // the options that have not been read yet

    ListenUrl(String text) {
        this.text = text;
        int question = text.indexOf('?');
        this.address = question < 0 ? text : text.substring(0, question);
        if (question >= 0) {
            for (String option : text.substring(question + 1).split("&", -1)) {
                addOption(option);
            }
        }
    }

    private void addOption(String option) {
        int equals = option.indexOf('=');
        if (equals < 0) {
            throw bad("has the option '" + option + "' without a value");
        }
        String name = option.substring(0, equals);
        if (options.put(name, option.substring(equals + 1)) != null) {
            throw bad("has the option " + name + " twice");
        }
    }

    /** @param proxyProtocol the value for a URL without the option {@code proxy-protocol} */
    ListenAddress read(Switch proxyProtocol) {
        ListenAddress listener = address.startsWith(UNIX)
                ? other(new BindAddress.UnixSocket(file(address.substring(UNIX.length())), mode()), proxyProtocol)
                : address.equals(INHERITED)
                        ? other(new BindAddress.Inherited(), proxyProtocol)
                        : network(proxyProtocol);
        if (!options.isEmpty()) {
            throw bad("has the unknown option " + options.keySet().iterator().next());
        }
        return listener;
    }

    private ListenAddress network(Switch proxyProtocol) {
        Matcher parts = NETWORK.matcher(address);
        if (!parts.matches()) {
            throw bad("is not like " + EXAMPLES);
        }
        boolean tls = parts.group(1).equals("https");
        return new ListenAddress(
                new BindAddress.Network(host(parts.group(2)), port(parts.group(3), tls ? Https.PORT : HTTP_PORT)),
                tls ? Switch.ON : Switch.OFF,
                proxyProtocol(proxyProtocol));
    }

    private ListenAddress other(BindAddress bindAddress, Switch proxyProtocol) {
        return new ListenAddress(bindAddress, onOff(TLS, Switch.OFF), proxyProtocol(proxyProtocol));
    }

    private String host(String host) {
        if (!host.startsWith("[")) {
            return host.isEmpty() ? ALL_ADDRESSES : host;
        }
        String literal = host.substring(1, host.length() - 1);
        int zone = literal.indexOf('%');
        String address = zone < 0 ? literal : literal.substring(0, zone);
        if (address.indexOf(':') < 0 || IpLiteral.read(address) == null) {
            throw bad("has no IPv6 address in its brackets");
        }
        return literal;
    }

    private int port(@Nullable String port, int byDefault) {
        if (port == null) {
            return byDefault;
        }
        int number = PORT.matcher(port).matches() ? Integer.parseInt(port.substring(1)) : MAX_PORT + 1;
        if (number > MAX_PORT) {
            throw bad("has no port between 0 and " + MAX_PORT + " behind its host");
        }
        return number;
    }

    private Path file(String name) {
        if (name.isBlank()) {
            throw bad("names no file");
        }
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw bad("is not a valid path: " + e.getMessage());
        }
    }

    private Set<PosixFilePermission> mode() {
        String octal = options.remove(MODE);
        if (octal == null) {
            return BindAddress.MODE;
        }
        if (!OCTAL.matcher(octal).matches()) {
            throw bad("needs a mode of three octal digits, such as 660");
        }
        int bits = Integer.parseInt(octal, 8);
        Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < PERMISSIONS.length; i++) {
            if ((bits >> PERMISSIONS.length - 1 - i & 1) != 0) {
                mode.add(PERMISSIONS[i]);
            }
        }
        return mode;
    }

    private Switch proxyProtocol(Switch byDefault) {
        return onOff(Key.PROXY_PROTOCOL.id(), byDefault);
    }

    private Switch onOff(String option, Switch byDefault) {
        String word = options.remove(option);
        if (word == null) {
            return byDefault;
        }
        return switch (word) {
            case "on" -> Switch.ON;
            case "off" -> Switch.OFF;
            default -> throw bad("needs on or off for " + option);
        };
    }

    BadValueException bad(String problem) {
        return new BadValueException(Key.LISTEN, "names '" + text + "', which " + problem);
    }
}
