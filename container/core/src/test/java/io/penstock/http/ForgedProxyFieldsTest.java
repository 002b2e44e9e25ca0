package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.address.IpLiteral;
import io.penstock.address.Network;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A request goes through foreign proxies, which send arbitrary forwarding fields, such as {@code X-Forwarded-For}. Then the request goes
 * through trusted proxies, which send correct forwarding fields. The server must use the last foreign proxy as the client. The scheme and
 * the host must come from the last trusted proxy that sends a scheme and a host. The server must ignore all values of foreign proxies. If a
 * foreign proxy sends a malformed field, the server may refuse the request.
 */
class ForgedProxyFieldsTest {
    private static final int REQUESTS = 200_000;
    private static final String FOREIGN_HOST = "evil.example";

    private static final Network V4 = Network.parse("10.0.0.0/8");
    private static final Network V6 = Network.parse("2001:db8::/32");
    private static final Predicate<InetAddress> TRUSTED = address -> V4.contains(address) || V6.contains(address);

    private final long seed = Long.getLong("penstock.proxies.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** The values that the server must find. */
    private static final class ExpectedValues {
        private String client = "";
        private int port;
        private Forwarding.@Nullable Scheme scheme;
        private @Nullable String host;
        private int publicPort;
    }

    private boolean chance(int of) {
        return random.nextInt(of) == 0;
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String octet() {
        return Integer.toString(random.nextInt(256));
    }

    /** Returns an address outside the trusted networks. */
    private String foreign() {
        return chance(2)
                ? "192.0." + octet() + "." + octet()
                : one(
                        "2001:db9::" + Integer.toHexString(random.nextInt(65536)),
                        "fd00::1",
                        "::ffff:192.0.2." + octet());
    }

    private String trusted() {
        return chance(2)
                ? "10." + octet() + "." + octet() + "." + octet()
                : one("2001:db8::" + Integer.toHexString(random.nextInt(65536)), "::ffff:10.0.0." + octet());
    }

    private static String digits(String literal) {
        InetAddress address = IpLiteral.read(literal);
        assertNotNull(address, literal);
        return address.getHostAddress();
    }

    // ---- X-Forwarded-*

    @Test
    void xForwardedValuesOfForeignProxiesAreIgnored() {
        for (int i = 0; i < REQUESTS; i++) {
            ExpectedValues expected = new ExpectedValues();
            List<String[]> lines = new ArrayList<>();
            for (int left = random.nextInt(4); left > 0; left--) {
                lines.add(new String[] {
                    one(
                            "X-Forwarded-For",
                            "X-Forwarded-Proto",
                            "X-Forwarded-Host",
                            "X-Forwarded-Port",
                            "x-forwarded-for"),
                    one(
                            foreign(),
                            trusted(),
                            foreign() + ", " + trusted(),
                            "unknown",
                            "_hidden",
                            FOREIGN_HOST,
                            "ftp",
                            "https, ",
                            "",
                            ",",
                            "1",
                            garbage())
                });
            }
            int hops = 1 + random.nextInt(3);
            String last = peer(expected);
            for (int hop = 0; hop < hops; hop++) {
                append(lines, "X-Forwarded-For", last);
                if (hop == 0 || chance(3)) {
                    addSchemeHostAndPort(lines, expected);
                }
                last = trusted();
            }
            check(lines, expected, XForwardedFields::read, false);
        }
    }

    /** Returns the value that the first trusted proxy writes for the last foreign proxy. Also sets the expected client. */
    private String peer(ExpectedValues expected) {
        if (chance(6)) {
            expected.client = "unknown";
            return "unknown";
        }
        String literal = foreign();
        expected.client = digits(literal);
        if (chance(2)) {
            return literal;
        }
        expected.port = 1 + random.nextInt(65535);
        return (literal.indexOf(':') < 0 ? literal : "[" + literal + "]") + ":" + expected.port;
    }

    /** Adds the scheme, the host and the port of a trusted proxy. First removes these fields if an earlier proxy has sent them. */
    private void addSchemeHostAndPort(List<String[]> lines, ExpectedValues expected) {
        expected.scheme = chance(2) ? Forwarding.Scheme.HTTP : Forwarding.Scheme.HTTPS;
        expected.host = one("site.example", "site.example:8080", "[2001:db8::1]:1");
        expected.publicPort = 1 + random.nextInt(65535);
        lines.removeIf(line -> !line[0].equalsIgnoreCase("X-Forwarded-For"));
        lines.add(new String[] {"X-Forwarded-Proto", expected.scheme.name()});
        lines.add(new String[] {"X-Forwarded-Host", expected.host});
        lines.add(new String[] {"X-Forwarded-Port", Integer.toString(expected.publicPort)});
    }

    /** Adds the value as a new line, or appends it to the last line with this name. */
    private void append(List<String[]> lines, String name, String value) {
        if (!chance(3)) {
            for (int i = lines.size() - 1; i >= 0; i--) {
                if (lines.get(i)[0].equalsIgnoreCase(name)) {
                    lines.get(i)[1] += one(", ", ",", " , ") + value;
                    return;
                }
            }
        }
        lines.add(new String[] {name, value});
    }

    // ---- Forwarded

    @Test
    void elementsOfTheForwardedFieldFromForeignProxiesAreIgnored() {
        int refused = 0;
        for (int i = 0; i < REQUESTS; i++) {
            ExpectedValues expected = new ExpectedValues();
            List<String[]> lines = new ArrayList<>();
            boolean proper = chance(2);
            for (int left = random.nextInt(4); left > 0; left--) {
                append(
                        lines,
                        "Forwarded",
                        proper ? forged() : one(forged(), garbage(), "for=\"", "for=6.6.6.6;x=\"", "\\\"", "\","));
            }
            int hops = 1 + random.nextInt(3);
            String last = node(expected);
            for (int hop = 0; hop < hops; hop++) {
                append(lines, "Forwarded", element(last, hop == 0, expected));
                last = quoted(trusted());
            }
            refused += check(lines, expected, ForwardedField::read, !proper) ? 0 : 1;
        }
        assertTrue(refused < REQUESTS / 2, () -> "too many requests were refused; the seed is " + seed);
    }

    /** Returns the value that the first trusted proxy writes for the last foreign proxy. Also sets the expected client. */
    private String node(ExpectedValues expected) {
        if (chance(6)) {
            expected.client = one("unknown", "_hidden", "_a.b-c_1");
            return chance(2) ? expected.client : '"' + expected.client + '"';
        }
        String literal = foreign();
        expected.client = digits(literal);
        if (chance(2)) {
            return quoted(literal);
        }
        expected.port = 1 + random.nextInt(65535);
        String quoted = quoted(literal);
        return '"' + quoted.replace("\"", "") + ':' + expected.port + '"';
    }

    private String quoted(String literal) {
        if (literal.indexOf(':') >= 0) {
            return "\"[" + literal + "]\"";
        }
        return chance(3) ? '"' + literal + '"' : literal;
    }

    private String element(String node, boolean first, ExpectedValues expected) {
        List<String> pairs = new ArrayList<>();
        pairs.add(one("for=", "For=", "FOR=") + node);
        if (first || chance(3)) {
            expected.scheme = chance(2) ? Forwarding.Scheme.HTTP : Forwarding.Scheme.HTTPS;
            pairs.add("proto=" + expected.scheme);
            expected.host = one("site.example", "site.example:8080", "[2001:db8::1]:1");
            boolean unquoted = chance(2) && expected.host.indexOf(':') < 0;
            pairs.add("host=" + (unquoted ? expected.host : '"' + expected.host + '"'));
        }
        if (chance(3)) {
            pairs.add("by=" + one("_me", quoted(trusted())));
        }
        if (chance(4)) {
            pairs.add(one("secret=\"a,b;c=d\\\"\"", "x=1", "ext=\"\""));
        }
        List<String> mixed = new ArrayList<>();
        while (!pairs.isEmpty()) {
            mixed.add(pairs.remove(random.nextInt(pairs.size())));
        }
        return String.join(";", mixed);
    }

    /** Returns a well-formed element that a foreign proxy sends. */
    private String forged() {
        return one(
                "for=" + quoted(foreign()),
                "for=" + quoted(trusted()) + ";proto=https;host=" + FOREIGN_HOST,
                "proto=https",
                "host=" + FOREIGN_HOST,
                "for=unknown, for=_x;by=\"[::1]:1\"",
                "x=\"\\\"\"",
                "x=\", for=10.0.0.1\"",
                ";",
                "",
                ",",
                "for=whatever;proto=ftp;host=\"a b\"");
    }

    private String garbage() {
        String characters = "for=\",;:[]\\ 1.\ta\u00e9";
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(12); left > 0; left--) {
            text.append(characters.charAt(random.nextInt(characters.length())));
        }
        return text.toString();
    }

    // ---- common to both tests

    /** Compares the result of the reader with the expected values. Returns false if the reader refuses the request. */
    private boolean check(
            List<String[]> lines, ExpectedValues expected, Forwarding.Reader reader, boolean mayBeRefused) {
        FieldList fields = new FieldList();
        StringBuilder shown = new StringBuilder("seed " + seed);
        for (String[] line : lines) {
            fields.add(line[0], line[1].strip());
            shown.append('\n').append(line[0]).append(": ").append(line[1]);
        }
        Forwarding forwarding;
        try {
            forwarding = reader.read(fields, TRUSTED);
        } catch (Violation refused) {
            assertTrue(mayBeRefused, () -> refused + " " + shown);
            assertEquals(400, refused.status());
            return false;
        }
        assertNotNull(forwarding, shown::toString);
        ForwardedNode client = forwarding.client();
        assertNotNull(client, shown::toString);
        assertEquals(expected.client + "#" + expected.port, client.name() + "#" + client.port(), shown::toString);
        assertEquals(expected.scheme, forwarding.scheme(), shown::toString);
        assertEquals(expected.host, forwarding.host(), shown::toString);
        assertEquals(expected.publicPort, forwarding.port(), shown::toString);
        return true;
    }
}
