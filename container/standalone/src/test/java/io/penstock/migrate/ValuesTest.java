package io.penstock.migrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how values of Tomcat become values of Penstock. */
class ValuesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "127\\.0\\.0\\.1; 127.0.0.1",
                "127\\.\\d+\\.\\d+\\.\\d+|::1|0:0:0:0:0:0:0:1; 127.0.0.0/8,::1",
                "10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}; 10.0.0.0/8",
                "192\\.168\\..*; 192.168.0.0/16",
                "172\\.1[6-9]{1}\\.\\d{1,3}\\.\\d{1,3}|172\\.2[0-9]{1}\\.\\d{1,3}\\.\\d{1,3}|172\\.3[0-1]{1}\\.\\d{1,3}\\.\\d{1,3};"
                        + " 172.16.0.0/14,172.20.0.0/14,172.24.0.0/14,172.28.0.0/15,172.30.0.0/15",
                "100\\.(6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])\\..*; 100.64.0.0/10",
                "192\\.0\\.2\\.(7|8|9); 192.0.2.7,192.0.2.8/31",
                "(10|11)\\.1\\.2\\.3; 10.1.2.3,11.1.2.3",
                "fe[89ab]\\p{XDigit}:.*|f[cd]\\p{XDigit}{2}:.+; fe80::/10,fc00::/7",
                "10.0.0.0/8, 2001:db8::/32; 10.0.0.0/8,2001:db8::/32",
                "127.0.0.1|10.0.0.7; 127.0.0.1,10.0.0.7",
                "^(127\\.0\\.0\\.1|192\\.168\\..*)$; 127.0.0.1,192.168.0.0/16",
                "(?:10\\.1\\.2\\.3); 10.1.2.3",
                ".*; 0.0.0.0/0,::/0",
            })
    void aPatternOfAddressesBecomesNetworks(String pattern, String networks) {
        assertEquals(networks, String.join(",", Values.networksOfPattern(pattern)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"proxy[0-9]+\\.example\\.org", "10\\.[", "2001:db8:.*", "1\\.2\\.3", "\\d+\\.[0-9]+1\\.\\d+\\.7"
            })
    void aPatternThatIsNoSetOfNetworksIsRefused(String pattern) {
        assertThrows(IllegalArgumentException.class, () -> Values.networksOfPattern(pattern));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "common; common",
                "%h %l %u %t \"%r\" %s %b; common",
                "%h %l %u %t \"%r\" %s %b \"%{Referer}i\" \"%{User-Agent}i\"; combined",
                "%t %a %m %U%q %>s %D %{X-Request-Id}i; date time c-ip cs-method cs-uri-stem cs-uri-query sc-status"
                        + " x-total-us cs(X-Request-Id)",
                "%{yyyy-MM-dd}t %{ms}T %v; date time x-total-ms cs(Host)",
                "combined %D %S; combined x-total-us x-session-id",
                "%h %l %u %t \"%r\" %s %b %{Location}o \"%{User-Agent}i\"; common sc(Location) cs(User-Agent)",
                "%s %{Location}o %{JSESSIONID}c %{org.example.tenant}r; sc-status sc(Location) x-cookie(JSESSIONID)"
                        + " x-attribute(org.example.tenant)",
            })
    void aPatternOfTheAccessLogBecomesFields(String pattern, String fields) {
        List<String> without = new ArrayList<>();
        assertEquals(fields, Values.logFormat(pattern, without));
        assertEquals(List.of(), without);
    }

    @Test
    void thePartsOfAPatternThatHaveNoFieldAreNamed() {
        List<String> without = new ArrayList<>();
        assertEquals("sc(X-USER) sc-status", Values.logFormat("%{X-USER}o %I %{cart}s %s %{two words}o", without));
        assertEquals(List.of("%I", "%{cart}s", "%{two words}o"), without);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%{cart}s", "%I", "plain text", "%{two words}o"})
    void aPatternWithoutAFieldIsRefused(String pattern) {
        assertThrows(IllegalArgumentException.class, () -> Values.logFormat(pattern, new ArrayList<>()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "common; json",
                "%h %D %{Referer}i; json",
                "%h %{X-Id}o %S %{a}c %{Host}i; json sc(X-Id) x-session-id x-cookie(a) cs(Host)",
            })
    void aPatternOfTheJsonLogBecomesTheFieldsThatTheLinesDoNotHaveAnyway(String pattern, String format) {
        assertEquals(format, Values.jsonFormat(pattern, new ArrayList<>()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "date time c-ip bytes; date time c-ip sc-bytes",
                "cs(Host) sc(Location) x-C(cart) x-O(X-Id) x-R(tenant); cs(Host) sc(Location) x-cookie(cart) sc(X-Id)"
                        + " x-attribute(tenant)",
            })
    void theFieldsOfTheExtendedLogBecomeFields(String pattern, String format) {
        assertEquals(format, Values.w3cFormat(pattern));
        assertThrows(IllegalArgumentException.class, () -> Values.w3cFormat(pattern + " x-S(cart)"));
    }

    @ParameterizedTest
    @CsvSource({
        "number, 100, 100",
        "workers, 0, 1",
        "ms, 20000, 20s",
        "ms, 1500, 1500ms",
        "s, 300, 300s",
        "msornone, -1, 0s",
        "msornone, 1500, 1500ms",
        "files, -1, 0",
        "files, 14, 14",
        "minutes, -1, 0m",
        "minutes, 45, 45m",
        "wholeminutes, 61, 2m",
        "bytes, 2097152, 2097152",
        "onoff, true, on",
        "onoff, no, off",
        "types, 'text/html,text/css', 'text/html, text/css'",
        "types, 'image/tiff;application=geotiff, a/b ; c=d,e/f', 'image/tiff, a/b, e/f'",
        "agents, '.*MSIE 6.*|.*Opera.*', 'MSIE 6, Opera'",
    })
    void aValueIsConverted(String type, String value, String converted) {
        assertEquals(converted, Values.convert(type, value));
    }

    @ParameterizedTest
    @CsvSource({"number, -1", "bytes, many", "ms, ''", "agents, 'goog(le|ly)'", "text, ' '"})
    void aValueWithoutMeaningIsRefused(String type, String value) {
        assertThrows(IllegalArgumentException.class, () -> Values.convert(type, value));
    }
}
