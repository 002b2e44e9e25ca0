package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests how the server finds the end of a request body (RFC 9112 sections 6.1 to 6.3). A request is refused if the end of its body is
 * ambiguous.
 */
final class Rfc9112Section6BodyFramingTest {

    private static RequestHead head(Version version, String lines) {
        FieldList fields = new FieldList().add("Host", "x");
        for (String line : lines.isEmpty() ? new String[0] : lines.split("\\|")) {
            int colon = line.indexOf(':');
            fields.add(line.substring(0, colon), line.substring(colon + 1));
        }
        return new RequestHead("POST", RequestTarget.origin("/"), version, fields);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            ''; NONE; 0
            Content-Length:0; NONE; 0
            Content-Length:00; NONE; 0
            content-length:5; FIXED; 5
            Content-Length:0005; FIXED; 5
            Content-Length:9223372036854775807; FIXED; 9223372036854775807
            Transfer-Encoding:chunked; CHUNKED; -1
            transfer-encoding:CHUNKED; CHUNKED; -1
            """)
    void validHeaderFieldsDetermineTheBodyFraming(String lines, BodyFraming.Kind kind, long length) throws Violation {
        assertEquals(new BodyFraming(kind, length), BodyFraming.of(head(Version.HTTP_1_1, lines)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            400; Content-Length:5|Content-Length:5
            400; Content-Length:5|content-length:6
            400; Content-Length:5, 5
            400; Content-Length:
            400; Content-Length:+5
            400; Content-Length:-5
            400; Content-Length:5 5
            400; Content-Length:0x5
            400; Content-Length:9223372036854775808
            400; Content-Length:99999999999999999999999
            400; Content-Length:5|Transfer-Encoding:chunked
            400; Transfer-Encoding:chunked|Content-Length:0
            400; Transfer-Encoding:chunked|Transfer-Encoding:chunked
            400; Transfer-Encoding:chunked, chunked
            400; Transfer-Encoding:chunked, gzip
            400; Transfer-Encoding:
            400; Transfer-Encoding:,chunked
            400; Transfer-Encoding:chunked,
            400; Transfer-Encoding:ch unked
            400; Transfer-Encoding:gzip
            400; Transfer-Encoding:identity
            501; Transfer-Encoding:gzip, chunked
            501; Transfer-Encoding:gzip,deflate ,chunked
            """)
    void aRequestWithInvalidOrAmbiguousFramingIsRefused(int status, String lines) {
        Violation violation = assertThrows(Violation.class, () -> BodyFraming.of(head(Version.HTTP_1_1, lines)));
        assertEquals(status, violation.status());
    }

    @Test
    void anHttp10RequestWithTransferEncodingIsRefused() {
        Violation violation = assertThrows(
                Violation.class, () -> BodyFraming.of(head(Version.HTTP_1_0, "Transfer-Encoding:chunked")));
        assertEquals(400, violation.status());
    }

    @Test
    void aContentLengthWithNonAsciiDigitsIsRefused() {
        assertThrows(Violation.class, () -> BodyFraming.of(head(Version.HTTP_1_1, "Content-Length:\u0665")));
    }
}
