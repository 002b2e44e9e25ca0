package io.penstock.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the file that is configured with the key {@code response-rules}: valid lines, and the error messages for invalid lines. */
class RulesFileTest {
    @TempDir
    Path folder;

    private ResponseRules rules(String text) throws IOException {
        return ResponseRules.read(Files.writeString(folder.resolve("rules.txt"), text), 8192);
    }

    private static RequestHead get(String path) {
        return new RequestHead("GET", RequestTarget.origin(path), Version.HTTP_1_1, Fields.EMPTY);
    }

    /** Returns the fields that the rules add to a response, each as a line {@code name: value}. */
    private static List<String> added(ResponseRules rules, int status, String path) {
        Fields fields = rules.added(status, get(path), Fields.EMPTY);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            lines.add(fields.name(i) + ": " + fields.value(i));
        }
        return lines;
    }

    @Test
    void theLastMatchingRuleForAFieldApplies() throws Exception {
        ResponseRules rules = rules("""
                # all
                /*            X-One: first
                /*            X-Two: two, with; all: signs
                /app/*        x-one: second

                  # a comment between
                /app/open/*   X-One:
                /app/long     Content-Security-Policy: default-src 'self';
                              img-src *
                              # and
                              data:
                *.js          X-Script: yes
                """);
        assertEquals(List.of("X-One: first", "X-Two: two, with; all: signs"), added(rules, 200, "/"));
        assertEquals(List.of("X-One: second", "X-Two: two, with; all: signs"), added(rules, 404, "/app"));
        assertEquals(List.of("X-Two: two, with; all: signs"), added(rules, 200, "/app/open/x?y"));
        assertTrue(added(rules, 200, "/app/long")
                .contains("Content-Security-Policy: default-src 'self'; img-src * data:"));
        assertTrue(added(rules, 200, "/a/%62.js").contains("X-Script: yes"));
        assertEquals(List.of(), added(rules, 101, "/"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "public, max-age=31536000, immutable | true",
                "private, max-age=60                 | true",
                "s-maxage=60                         | true",
                "stale-while-revalidate=60           | true",
                "no-store                            | false",
                "no-cache                            | false",
                "private                             | false",
                "max-age=0, must-revalidate          | false",
            })
    void aRuleAppliesOnlyToSuccessfulResponsesIfItAllowsCaching(String value, boolean isOnlyForSuccess)
            throws Exception {
        ResponseRules rules = rules("/* Cache-Control: " + value);
        assertEquals(List.of("Cache-Control: " + value), added(rules, 200, "/x"));
        assertEquals(List.of("Cache-Control: " + value), added(rules, 304, "/x"));
        List<String> elsewhere = isOnlyForSuccess ? List.of() : List.of("Cache-Control: " + value);
        assertEquals(elsewhere, added(rules, 302, "/x"));
        assertEquals(elsewhere, added(rules, 404, "/x"));
        assertEquals(elsewhere, added(rules, 500, "/x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Set-Cookie", "Expires", "Pragma"})
    void aResponseWithACookieOrACachingFieldIsNotChangedByARuleThatAllowsCaching(String own) throws Exception {
        ResponseRules rules = rules("/* Cache-Control: public, max-age=60");
        Fields fields = new FieldList().add(own, "x");
        assertEquals(0, rules.added(200, get("/"), fields).size());
        assertEquals(
                1,
                rules("/* Cache-Control: no-store").added(200, get("/"), fields).size());
    }

    @Test
    void aPatternIsWrittenAsInAUrl() throws Exception {
        ResponseRules rules = rules("""
                /my%20app/*  X-Path: yes
                /caf%c3%A9   X-Escaped: yes
                /café        X-Letter: yes
                *.my%20type  X-Extension: yes
                /100%25      X-Percent: yes
                /a/%2A       X-Star: yes
                """);
        assertEquals(List.of("X-Path: yes"), added(rules, 200, "/my%20app/x"));
        assertEquals(List.of("X-Escaped: yes", "X-Letter: yes"), added(rules, 200, "/caf%C3%A9"));
        assertEquals(List.of("X-Extension: yes"), added(rules, 200, "/a.my%20type"));
        assertEquals(List.of("X-Percent: yes"), added(rules, 200, "/100%25"));
        assertEquals(List.of("X-Star: yes"), added(rules, 200, "/a/*"));
        assertEquals(List.of(), added(rules, 200, "/a/b"));
    }

    @Test
    void rulesDoNotAddContentFieldsToAResponseWithStatus304() throws Exception {
        ResponseRules rules = rules("/* Content-Language: de\n/* Content-Disposition: inline\n/* X-Own: x\n");
        assertEquals(3, added(rules, 200, "/").size());
        assertEquals(List.of("X-Own: x"), added(rules, 304, "/"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/*                              | 1: not 'PATTERN Field-Name: value'",
                "/* X-Own                        | 1: not 'PATTERN Field-Name: value'",
                "app/* X-Own: x                  | 1: URL pattern starts with neither / nor *. : app/*",
                "/* X Own: x                     | 1: between pattern and field only 'fingerprinted' is possible, not 'X'",
                "/* X(: x                        | 1: 'X(' is not the name of a field",
                "/* : x                          | 1: '' is not the name of a field",
                "/* X-Own: a\u0001b              | 1: the value of X-Own has a character that is not ASCII",
                "/* X-Own: ü                     | 1: the value of X-Own has a character that is not ASCII",
                "#~/* X-Own: a\rb: c             | 3: not 'PATTERN Field-Name: value'",
                "/* Content-Length: 1            | 1: Content-Length is not for rules: the server or the application sets it for each response",
                "/* transfer-encoding: chunked   | 1: transfer-encoding is not for rules: the server or the application sets it for each response",
                "/* Connection: close            | 1: Connection is not for rules: the server or the application sets it for each response",
                "/* Date: x                      | 1: Date is not for rules: the server or the application sets it for each response",
                "/* Set-Cookie: a=b              | 1: Set-Cookie is not for rules: the server or the application sets it for each response",
                "/* Strict-Transport-Security: x | 1: Strict-Transport-Security is not for rules: set the key hsts",
                "#~ X-Own: x                     | 2: this line continues a rule, but no rule is before it",
                "/* Access-Control-Max-Age: 5    | 1: /* has no Access-Control-Allow-Origin",
                "/* Access-Control-Allow-X: 5    | 1: Access-Control-Allow-X is not a field that the server knows",
                "/* fingerprinted Access-Control-Max-Age: 5 | 1: Access-Control-Max-Age is not possible in a rule with 'fingerprinted'",
                "/* Access-Control-Allow-Origin: a.example | 1: Access-Control-Allow-Origin: 'a.example' is not an origin such as https://app.example.org:8443",
                "/* Access-Control-Allow-Origin: null | 1: Access-Control-Allow-Origin: 'null' is not an origin such as https://app.example.org:8443",
                "/* Access-Control-Allow-Origin: https://a.example/ | 1: Access-Control-Allow-Origin: 'https://a.example/' is not an origin such as https://app.example.org:8443",
                "/* Access-Control-Allow-Origin: HTTPS://a.example:443 | 1: Access-Control-Allow-Origin: browsers write 'HTTPS://a.example:443' as https://a.example",
                "/* Access-Control-Allow-Origin: *, https://a.example | 1: Access-Control-Allow-Origin: * stands alone",
                "/* Access-Control-Allow-Origin: *~/* Access-Control-Allow-Origin: * | 2: Access-Control-Allow-Origin is given twice for /*",
                "/* Access-Control-Allow-Origin: *~/* Access-Control-Allow-Credentials: true | 2: Access-Control-Allow-Origin: * is not possible together with Access-Control-Allow-Credentials",
                "/* Access-Control-Allow-Credentials: true~/* Access-Control-Allow-Origin: http://a~/* Access-Control-Allow-Headers: X, * | 3: Access-Control-Allow-Headers: * is not possible together with Access-Control-Allow-Credentials",
                "/* Access-Control-Allow-Origin: http://a~/* Access-Control-Allow-Credentials: yes | 2: Access-Control-Allow-Credentials can only be true",
                "/* Access-Control-Allow-Origin: http://a~/* Access-Control-Allow-Methods: PUT;GET | 2: Access-Control-Allow-Methods: 'PUT;GET' is not a valid name",
                "/100% X: y | 1: URL pattern has a % without the two hexadecimal digits of an octet in UTF-8 (% itself is %25): /100%",
                "/a%C3 X: y | 1: URL pattern has a % without the two hexadecimal digits of an octet in UTF-8 (% itself is %25): /a%C3",
                "/a%2Fb X: y | 1: URL pattern has %2F, but requests with it in the path are refused: /a%2Fb",
                "/* Access-Control-Allow-Origin: http://a~/* Access-Control-Max-Age: 1h | 2: Access-Control-Max-Age: '1h' is not a number of seconds",
            })
    void invalidLinesAreReportedWithFileNameAndLineNumber(String text, String expected) {
        IOException error = assertThrows(IOException.class, () -> rules(text.replace('~', '\n')));
        assertEquals(folder.resolve("rules.txt") + ":" + expected, error.getMessage());
    }

    @Test
    void aFileIsReportedIfItIsMissingOrNotInUtf8() throws Exception {
        Path none = folder.resolve("none");
        assertEquals(
                none + ": no such file",
                assertThrows(IOException.class, () -> ResponseRules.read(none, 100))
                        .getMessage());
        Path latin = Files.write(folder.resolve("latin"), "/* X: ü".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(
                latin + ": not in UTF-8",
                assertThrows(IOException.class, () -> ResponseRules.read(latin, 100))
                        .getMessage());
    }

    /** The total size of the added fields is limited, because an error response of the server must fit into one buffer. */
    @Test
    void aFileIsRejectedIfItsRulesCanAddTooManyBytesToOneResponse() throws Exception {
        Path file = Files.writeString(
                folder.resolve("rules.txt"),
                "/a X-One: " + "x".repeat(60) + "\n/b X-One: " + "x".repeat(50) + "\n/* X-Two: " + "y".repeat(40));
        assertEquals(
                2,
                ResponseRules.read(file, 118)
                        .added(200, get("/a"), Fields.EMPTY)
                        .size());
        assertEquals(
                file + ": one response could get 118 bytes of fields; the limit is 117, half of pipe-segment",
                assertThrows(IOException.class, () -> ResponseRules.read(file, 117))
                        .getMessage());
    }
}
