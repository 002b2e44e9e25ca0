package io.penstock.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests look-ups by host. An exact host is preferred to a wildcard, and a longer wildcard to a shorter wildcard. The spelling of the host
 * does not matter.
 */
class HostTableTest {
    private static final HostTable<String> TABLE = table(
            "www.example.org",
            "*.example.org",
            "*.b.example.org",
            "*.org",
            "intranet",
            "192.0.2.1",
            "[2001:db8::1]",
            "xn--mller-kva.example");

    private static HostTable<String> table(String... hosts) {
        Map<String, String> byHost = new HashMap<>();
        for (String host : hosts) {
            byHost.put(Objects.requireNonNull(HostName.read(host), host), host);
        }
        return new HostTable<>(byHost);
    }

    @ParameterizedTest
    @CsvSource({
        "www.example.org, www.example.org",
        "WWW.Example.ORG, www.example.org",
        "www.example.org., www.example.org",
        "a.example.org, *.example.org",
        "a.www.example.org, *.example.org",
        "a.b.example.org, *.b.example.org",
        "A.x.B.example.org., *.b.example.org",
        "b.example.org, *.example.org",
        "example.org, *.org",
        "a.other.org, *.org",
        "intranet, intranet",
        "192.0.2.1, 192.0.2.1",
        "[2001:db8::1], [2001:db8::1]",
        "[2001:DB8:0:0:0:0:0:1], [2001:db8::1]",
        "[::ffff:192.0.2.1], 192.0.2.1",
        "XN--mller-kva.example, xn--mller-kva.example"
    })
    void theBestMatchForAHostIsFound(String host, String as) {
        assertEquals(as, TABLE.find(host));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org",
                ".org",
                "org.",
                "www.example.org..",
                "www.example.net",
                "wwwexample",
                "www.intranet",
                "192.0.2.2",
                "1.192.0.2.1",
                "[2001:db8::2]",
                "[::1",
                "[]",
                "[v1.a]",
                "%77ww.example.net",
                "m\u00fcller.example",
                ".",
                ""
            })
    void hostsWithoutAMatchAreNotFound(String host) {
        assertNull(TABLE.find(host));
    }

    /** Each dot of a name costs a look-up, so a name that is too long must not be looked up. */
    @Test
    void aTooLongHostNameIsNotFound() {
        assertEquals("*.org", TABLE.find("a.".repeat(124) + "a.org"));
        assertNull(TABLE.find("a.".repeat(16_000) + "org"));
    }

    @ParameterizedTest
    @CsvSource({
        "Example.ORG., example.org",
        "*.Example.org, *.example.org",
        "my_host, my_host",
        "1and1.example, 1and1.example",
        "10.0.0.1, 10.0.0.1",
        "[::1], [0:0:0:0:0:0:0:1]",
        "[::FFFF:10.0.0.1], 10.0.0.1"
    })
    void validNamesInTheConfigurationAreConvertedToTheCanonicalForm(String text, String canonical) {
        assertEquals(canonical, HostName.read(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "*.",
                "a*.example.org",
                "*.*.example.org",
                "www.*.org",
                "a..b",
                ".a",
                "a b",
                "a:80",
                "::1",
                "[::1]:80",
                "[::1",
                "[a]",
                "[1.2.3.4]",
                "[fe80::1%eth0]",
                "-a.example",
                "a-.example",
                "m\u00fcller.example",
                "10.0.0",
                "10.0.0.256",
                "1.2.3.4.5",
                "*.0.0.1",
                "a/b",
                "user@a",
                "%61"
            })
    void invalidNamesInTheConfigurationAreRefused(String text) {
        assertNull(HostName.read(text));
    }

    @Test
    void namesAndLabelsHaveAMaximumLength() {
        String label = "a".repeat(63) + ".";
        assertEquals(label.repeat(3) + "a".repeat(61), HostName.read(label.repeat(3) + "a".repeat(61)));
        assertNull(HostName.read(label.repeat(3) + "a".repeat(62)));
        assertNull(HostName.read("a".repeat(64)));
    }

    /** Compares the table with a simple implementation of the same rules. */
    @Test
    void theBestMatchIsFoundForRandomNames() {
        Random random = new Random(21);
        for (int i = 0; i < 20_000; i++) {
            List<String> hosts = new ArrayList<>();
            for (int j = random.nextInt(6); j >= 0; j--) {
                hosts.add((random.nextBoolean() ? "*." : "") + name(random, 3));
            }
            String asked = name(random, 4);
            String spelt =
                    (random.nextBoolean() ? asked.toUpperCase(Locale.ROOT) : asked) + (random.nextBoolean() ? "." : "");
            assertEquals(
                    defined(hosts, asked), table(hosts.toArray(String[]::new)).find(spelt), () -> hosts + " " + asked);
        }
    }

    private static String name(Random random, int most) {
        StringBuilder name = new StringBuilder("ab".substring(random.nextInt(2)).substring(0, 1));
        for (int labels = random.nextInt(most); labels > 0; labels--) {
            name.append('.').append(random.nextBoolean() ? "a" : "b");
        }
        return name.toString();
    }

    private static @Nullable String defined(List<String> hosts, String asked) {
        if (hosts.contains(asked)) {
            return asked;
        }
        String best = null;
        for (String host : hosts) {
            boolean covers =
                    host.startsWith("*.") && asked.endsWith(host.substring(1)) && asked.length() > host.length() - 1;
            if (covers && (best == null || host.length() > best.length())) {
                best = host;
            }
        }
        return best;
    }
}
