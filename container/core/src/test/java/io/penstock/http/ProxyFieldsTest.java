package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.address.Network;
import java.net.InetAddress;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests how the server reads the fields {@code X-Forwarded-*}, and the field {@code Forwarded} of RFC 7239. Proxies in the networks
 * 10.0.0.0/8 and 2001:db8::/32 are trusted.
 */
class ProxyFieldsTest {
    private static final Network V4 = Network.parse("10.0.0.0/8");
    private static final Network V6 = Network.parse("2001:db8::/32");
    private static final Predicate<InetAddress> TRUSTED = address -> V4.contains(address) || V6.contains(address);

    /** @param lines the lines in the form {@code Name: value}, separated by {@code |} */
    private static Fields fields(String lines) {
        FieldList fields = new FieldList();
        for (String line : lines.split("\\|")) {
            fields.add(
                    line.substring(0, line.indexOf(':')),
                    line.substring(line.indexOf(':') + 1).strip());
        }
        return fields;
    }

    private static String shown(Forwarding forwarding) {
        assertNotNull(forwarding);
        ForwardedNode client = forwarding.client();
        return (client == null ? "-" : client.name() + "#" + client.port()) + " " + forwarding.scheme() + " "
                + forwarding.host() + " " + forwarding.port();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        X-Forwarded-For: 192.0.2.1                                          ; 192.0.2.1#0 null null 0
        x-forwarded-for: 192.0.2.1:5000                                     ; 192.0.2.1#5000 null null 0
        X-Forwarded-For: 6.6.6.6, 192.0.2.1                                 ; 192.0.2.1#0 null null 0
        X-Forwarded-For: 192.0.2.1, 10.0.0.1,10.0.0.2                       ; 192.0.2.1#0 null null 0
        X-Forwarded-For: 192.0.2.1|X-Other: 1|X-Forwarded-For: 10.0.0.1     ; 192.0.2.1#0 null null 0
        X-Forwarded-For: 10.0.0.9, 10.0.0.1                                 ; 10.0.0.9#0 null null 0
        X-Forwarded-For: ::ffff:192.0.2.1                                   ; 192.0.2.1#0 null null 0
        X-Forwarded-For: 192.0.2.1, ::ffff:10.0.0.1                         ; 192.0.2.1#0 null null 0
        X-Forwarded-For: 2001:db9::1, 2001:db8::1                           ; 2001:db9:0:0:0:0:0:1#0 null null 0
        X-Forwarded-For: [2001:db9::1]:443, [2001:db8::1]                   ; 2001:db9:0:0:0:0:0:1#443 null null 0
        X-Forwarded-For: ,, 192.0.2.1 ,,                                    ; 192.0.2.1#0 null null 0
        X-Forwarded-For: garbage, 192.0.2.1                                 ; 192.0.2.1#0 null null 0
        X-Forwarded-For: garbage|X-Forwarded-For: 192.0.2.1                 ; 192.0.2.1#0 null null 0
        X-Forwarded-For: 6.6.6.6, unknown                                   ; unknown#0 null null 0
        X-Forwarded-For: 6.6.6.6, Unknown, 10.0.0.1                         ; unknown#0 null null 0
        X-Forwarded-Proto: https                                            ; - HTTPS null 0
        X-Forwarded-Proto: HTTP                                             ; - HTTP null 0
        X-Forwarded-Proto: wss                                              ; - HTTPS null 0
        X-Forwarded-Proto: https, http                                      ; - HTTP null 0
        X-Forwarded-Proto: ftp, https                                       ; - HTTPS null 0
        X-Forwarded-Host: site.example:8443                                 ; - null site.example:8443 0
        X-Forwarded-Host: a.example, b.example|X-Forwarded-Host: c.example  ; - null c.example 0
        X-Forwarded-Host: [2001:db8::1]:80                                  ; - null [2001:db8::1]:80 0
        X-Forwarded-Port: 1, 8443                                           ; - null null 8443
        """)
    void theLastXForwardedValuesOfTrustedProxiesAreUsed(String lines, String expected) throws Violation {
        assertEquals(expected, shown(XForwardedFields.read(fields(lines), TRUSTED)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For: garbage",
                "X-Forwarded-For: 192.0.2.1, garbage",
                "X-Forwarded-For: 192.0.2.1, 1.2.3",
                "X-Forwarded-For: 192.0.2.1:",
                "X-Forwarded-For: 192.0.2.1:0",
                "X-Forwarded-For: 192.0.2.1:65536",
                "X-Forwarded-For: [192.0.2.1]",
                "X-Forwarded-For: [::1",
                "X-Forwarded-For: [::1]1",
                "X-Forwarded-For: ::1]",
                "X-Forwarded-For: fe80::1%eth0",
                "X-Forwarded-For: \"192.0.2.1\"",
                "X-Forwarded-For: 192.0.2.1 192.0.2.2",
                "X-Forwarded-For: 192.0.2.1;10.0.0.1",
                "X-Forwarded-For: site.example",
                "X-Forwarded-For: garbage, 10.0.0.1",
                "X-Forwarded-For: _",
                "X-Forwarded-For: _a b",
                "X-Forwarded-Proto: ftp",
                "X-Forwarded-Proto: https;",
                "X-Forwarded-Proto: http://",
                "X-Forwarded-Host: a b",
                "X-Forwarded-Host: a/b",
                "X-Forwarded-Host: a:65536",
                "X-Forwarded-Host: user@a",
                "X-Forwarded-Host: http://a",
                "X-Forwarded-Port: 0",
                "X-Forwarded-Port: 65536",
                "X-Forwarded-Port: 443x",
                "X-Forwarded-Port: -1",
                "X-Forwarded-Port: 000443"
            })
    void malformedXForwardedValuesOfTrustedProxiesAreRefused(String lines) {
        Violation refused = assertThrows(Violation.class, () -> XForwardedFields.read(fields(lines), TRUSTED), lines);
        assertEquals(400, refused.status());
    }

    @Test
    void theResultIsNullIfTheFieldsAreMissingOrEmpty() throws Violation {
        assertNull(XForwardedFields.read(fields("Host: a|Forwarded: for=192.0.2.1|X-Forwarded: 1"), TRUSTED));
        assertNull(XForwardedFields.read(fields("X-Forwarded-For:|X-Forwarded-Proto: , ,"), TRUSTED));
        assertNull(ForwardedField.read(fields("Host: a|X-Forwarded-For: 192.0.2.1"), TRUSTED));
        assertNull(ForwardedField.read(fields("Forwarded: ,, ,"), TRUSTED));
    }

    /** The table contains the examples of RFC 7239 sections 4, 6 and 7.1. */
    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
        Forwarded: for="_gazonk"                                              ~ _gazonk#0 null null 0
        Forwarded: For="[2001:db9:cafe::17]:4711"                             ~ 2001:db9:cafe:0:0:0:0:17#4711 null null 0
        Forwarded: for=192.0.2.60;proto=http;by=203.0.113.43                  ~ 192.0.2.60#0 HTTP null 0
        Forwarded: for=192.0.2.43, for=198.51.100.17                          ~ 198.51.100.17#0 null null 0
        Forwarded: for=192.0.2.43, for="[2001:db8:cafe::17]"                  ~ 192.0.2.43#0 null null 0
        Forwarded: for=192.0.2.43,for="[2001:db8:cafe::17]",for=unknown       ~ unknown#0 null null 0
        Forwarded: for=_hidden, for=_SEVKISEK                                 ~ _SEVKISEK#0 null null 0
        Forwarded: for="192.0.2.43:47011"                                     ~ 192.0.2.43#47011 null null 0
        Forwarded: for="192.0.2.43:_port"                                     ~ 192.0.2.43#0 null null 0
        Forwarded: for="unknown:80"                                           ~ unknown#80 null null 0
        Forwarded: for="192.0.2.\\43"                                         ~ 192.0.2.43#0 null null 0
        Forwarded: FOR=192.0.2.1;HOST="site.example:8443";PROTO=HTTPS         ~ 192.0.2.1#0 HTTPS site.example:8443 0
        Forwarded: host=a;for=192.0.2.1;by=10.0.0.1;proto=https;x=y;x="z,;="  ~ 192.0.2.1#0 HTTPS a 0
        Forwarded: for=192.0.2.1;proto=https;host=a, for=10.0.0.1             ~ 192.0.2.1#0 HTTPS a 0
        Forwarded: for=192.0.2.1;proto=https;host=a, for=10.0.0.1;proto=http  ~ 192.0.2.1#0 HTTP a 0
        Forwarded: for=6.6.6.6;proto=https;host=evil, for=192.0.2.1           ~ 192.0.2.1#0 null null 0
        Forwarded: for=6.6.6.6|Forwarded: for=192.0.2.1                       ~ 192.0.2.1#0 null null 0
        Forwarded: for=192.0.2.1|Forwarded: for=10.0.0.1, for=10.0.0.2        ~ 192.0.2.1#0 null null 0
        Forwarded: for="|Forwarded: for=192.0.2.1                             ~ 192.0.2.1#0 null null 0
        Forwarded: for=10.0.0.9, for=10.0.0.1                                 ~ 10.0.0.9#0 null null 0
        Forwarded: for=6.6.6.6, proto=https                                   ~ unknown#0 HTTPS null 0
        Forwarded: for=6.6.6.6, by=10.0.0.1, for=10.0.0.2;proto=https         ~ unknown#0 HTTPS null 0
        Forwarded: ;;for=192.0.2.1;                                           ~ 192.0.2.1#0 null null 0
        Forwarded: , for=192.0.2.1 ,                                          ~ 192.0.2.1#0 null null 0
        Forwarded: for=garbage;proto=ftp, for=192.0.2.1                       ~ 192.0.2.1#0 null null 0
        """)
    void theLastElementsOfTheForwardedFieldFromTrustedProxiesAreUsed(String lines, String expected) throws Violation {
        assertEquals(expected, shown(ForwardedField.read(fields(lines), TRUSTED)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Forwarded: for",
                "Forwarded: for=",
                "Forwarded: for =192.0.2.1",
                "Forwarded: for= 192.0.2.1",
                "Forwarded: =192.0.2.1",
                "Forwarded: for=192.0.2.1 proto=https",
                "Forwarded: for=192.0.2.1; proto=https",
                "Forwarded: for=192.0.2.1:80",
                "Forwarded: for=[2001:db9::1]",
                "Forwarded: for=2001:db9::1",
                "Forwarded: for=\"2001:db9::1\"",
                "Forwarded: for=\"192.0.2.1",
                "Forwarded: for=\"192.0.2.1\\\"",
                "Forwarded: for=\"192.0.2.1\"x",
                "Forwarded: for=192.0.2.1;for=192.0.2.2",
                "Forwarded: proto=http;PROTO=https",
                "Forwarded: for=\", for=192.0.2.1",
                "Forwarded: for=6.6.6.6;x=\", for=\"[2001:db9::1]\"",
                "Forwarded: for=garbage",
                "Forwarded: for=_",
                "Forwarded: for=\"_a b\"",
                "Forwarded: for=\"192.0.2.1:0\"",
                "Forwarded: for=\"192.0.2.1:\"",
                "Forwarded: for=192.0.2.1;proto=ftp",
                "Forwarded: for=192.0.2.1;host=\"a b\"",
                "Forwarded: for=192.0.2.1;host=\"\"",
                "Forwarded: @",
                "Forwarded: for=6.6.6.6;@, for=192.0.2.1"
            })
    void malformedElementsOfTheForwardedFieldFromTrustedProxiesAreRefused(String lines) {
        Violation refused = assertThrows(Violation.class, () -> ForwardedField.read(fields(lines), TRUSTED), lines);
        assertEquals(400, refused.status());
    }

    @ParameterizedTest
    @CsvSource({
        "a.example:80, 0, , a.example:80",
        "a.example:80, 8443, , a.example:8443",
        "a.example, 8443, b.example, a.example:8443",
        ", 8443, b.example:80, b.example:8443",
        ", 8443, [::1]:80, [::1]:8443",
        ", 8443, ,",
        ", 0, b.example,"
    })
    void xForwardedPortReplacesThePortOfTheHost(String host, int port, String sent, String authority) {
        assertEquals(authority, new Forwarding(null, null, host, port).authority(sent));
    }
}
