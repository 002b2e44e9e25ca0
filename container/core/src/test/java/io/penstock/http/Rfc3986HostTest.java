package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.ServerConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the syntax of hosts (RFC 3986 section 3.2.2). A host has the same syntax in the Host field and in the request target. */
class Rfc3986HostTest {

    /** The grammar of the RFC as regular expressions, rule by rule. */
    private static final class Grammar {
        private static final String H16 = "[0-9A-Fa-f]{1,4}";
        private static final String DEC_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9])";
        private static final String IPV4 = DEC_OCTET + "(?:\\." + DEC_OCTET + "){3}";
        private static final String LS32 = "(?:" + H16 + ":" + H16 + "|" + IPV4 + ")";
        private static final String IPV6 = String.join(
                "|",
                "(?:" + H16 + ":){6}" + LS32,
                "::(?:" + H16 + ":){5}" + LS32,
                before(0) + "::(?:" + H16 + ":){4}" + LS32,
                before(1) + "::(?:" + H16 + ":){3}" + LS32,
                before(2) + "::(?:" + H16 + ":){2}" + LS32,
                before(3) + "::" + H16 + ":" + LS32,
                before(4) + "::" + LS32,
                before(5) + "::" + H16,
                before(6) + "::");
        private static final String UNRESERVED_OR_SUB_DELIM = "A-Za-z0-9\\-._~!$&'()*+,;=";
        private static final String IPV_FUTURE = "[vV][0-9A-Fa-f]+\\.[" + UNRESERVED_OR_SUB_DELIM + ":]+";
        private static final String REG_NAME = "(?:[" + UNRESERVED_OR_SUB_DELIM + "]|%[0-9A-Fa-f]{2})+";
        private static final Pattern HOST = Pattern.compile("\\[(?:" + IPV6 + "|" + IPV_FUTURE + ")\\]|" + REG_NAME);

        private static String before(int most) {
            return "(?:(?:" + H16 + ":){0," + most + "}" + H16 + ")?";
        }
    }

    private static boolean isAccepted(String head) {
        try {
            return new RequestHeadParser(ServerConfig.defaults().messages())
                            .parse(ByteBuffer.wrap(head.getBytes(StandardCharsets.ISO_8859_1)))
                    != null;
        } catch (Violation violation) {
            assertEquals(400, violation.status(), head);
            return false;
        }
    }

    /** Checks the host, with and without a port, in the Host field, in the request target, and in the target of CONNECT. */
    private static void assertAccepted(boolean expected, String host) {
        assertEquals(expected, Grammar.HOST.matcher(host).matches(), "the test's grammar is wrong for " + host);
        for (String authority : new String[] {host, host + ":", host + ":80"}) {
            assertEquals(expected, isAccepted("GET / HTTP/1.1\r\nHost: " + authority + "\r\n\r\n"), authority);
            assertEquals(expected, isAccepted("GET http://" + authority + "/a HTTP/1.1\r\nHost: x\r\n\r\n"), authority);
            assertEquals(expected, isAccepted("CONNECT " + authority + " HTTP/1.1\r\nHost: x\r\n\r\n"), authority);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[::]",
                "[::1]",
                "[1::]",
                "[1:2:3:4:5:6:7:8]",
                "[1:2:3:4:5:6:7::]",
                "[::2:3:4:5:6:7:8]",
                "[1::3:4:5:6:7:8]",
                "[1:2:3::7:8]",
                "[FE80::ABCD:0:00:000]",
                "[::ffff:127.0.0.1]",
                "[::255.255.255.255]",
                "[1:2:3:4:5:6:1.2.3.4]",
                "[1:2:3:4:5::1.2.3.4]",
                "[::2:3:4:5:6:1.2.3.4]",
                "[v1.a]",
                "[vF.a:b~c]",
                "[V0.:]",
                "a",
                "a.example",
                "a.example.",
                "127.0.0.1",
                "1.2.3",
                "256.1.1.1",
                "0x7f.1",
                "a%20b",
                "%C3%a4",
                "a_b",
                "a~b!c$d&e'f(g)h*i+j,k;l=m",
            })
    void validHostsAreAccepted(String host) {
        assertAccepted(true, host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[:]",
                "[:::]",
                "[:::::]",
                "[::::::::]",
                "[.]",
                "[1]",
                "[1.2.3.4]",
                "[abcd]",
                "[1:2]",
                "[:1]",
                "[1:]",
                "[1:2:3:4:5:6:7]",
                "[1:2:3:4:5:6:7:]",
                "[:2:3:4:5:6:7:8]",
                "[1:2:3:4:5:6:7:8:9]",
                "[1:2:3:4:5:6:7:8::]",
                "[::1:2:3:4:5:6:7:8]",
                "[1:2:3:4::5:6:7:8]",
                "[1::2::3]",
                "[1:::2]",
                "[::1:]",
                "[12345::]",
                "[::g]",
                "[::1::]",
                "[1::127.a.0.1]",
                "[::127.0.0]",
                "[::127.0.0.1.1]",
                "[::127.0.0.]",
                "[::127.0.0.256]",
                "[::127.0.0.01]",
                "[::127.0..1]",
                "[::.1.2.3]",
                "[::1.2.3.4:5]",
                "[1.2.3.4::]",
                "[::1.2.3.4::]",
                "[1:2:3:4:5:6:7:1.2.3.4]",
                "[1:2:3:4:5:6::1.2.3.4]",
                "[1:2:3:4:5:1.2.3.4]",
                "[fe80::1%25eth0]",
                "[fe80::1%eth0]",
                "[fe80::1%]",
                "[::1]]",
                "[[::1]",
                "[[::1]]",
                "[::1",
                "::1]",
                "[::1]a",
                "[ ::1]",
                "[v.a]",
                "[v1.]",
                "[v1]",
                "[v1a]",
                "[vg.a]",
                "[v1.a%20]",
                "[v1.[]",
                "[w1.a]",
                "[\u00b2::]",
                "a%",
                "a%2",
                "a%2g",
                "%%41",
                "a[b",
                "a]b",
                "a[::1]",
                "a|b",
                "a^b",
                "a`b",
                "{a}",
                "a\"b",
                "a<b>",
            })
    void invalidHostsAreRefused(String host) {
        assertAccepted(false, host);
    }

    @Test
    void aRandomHostIsAcceptedIfAndOnlyIfTheGrammarAllowsTheHost() {
        Random random = new Random(3986);
        int taken = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder inside = new StringBuilder();
            String[] pieces = {":", "::", "1", "ab", "ffff", "0", "1.2.3.4", "255", ".", "v", "%"};
            for (int left = 1 + random.nextInt(14); left > 0; left--) {
                inside.append(pieces[Math.min(random.nextInt(16), random.nextInt(pieces.length))]);
            }
            String host = random.nextInt(8) == 0 ? inside.toString() : "[" + inside + "]";
            boolean expected = Grammar.HOST.matcher(host).matches();
            taken += expected ? 1 : 0;
            assertEquals(expected, HostSyntax.isAuthority(host) && !hasPort(host), host);
        }
        assertTrue(taken > 1000, "too few random hosts are valid: " + taken);
    }

    /** Returns whether the text has a port. A name with a port is an authority, but not a host. */
    private static boolean hasPort(String text) {
        return !text.startsWith("[") && text.indexOf(':') >= 0;
    }
}
