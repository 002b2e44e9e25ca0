package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Key;
import io.penstock.limits.MessageLimits;
import io.penstock.limits.ServerConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9113 section 8. */
final class FieldSectionTest {
    private static final MessageLimits LIMITS = ServerConfig.defaults().messages();
    private static final String GET = ":method=GET|:scheme=https|:authority=example.org|:path=/a?b=c";

    private final FieldSection section = new FieldSection(LIMITS);

    @Test
    void theHeadHasMethodTargetAndFields() throws Exception {
        RequestHead head = request(GET + "|accept=text/html|x-a=");
        assertEquals("GET", head.method());
        assertEquals("/a?b=c", head.target().raw());
        assertEquals("/a", head.target().path());
        assertEquals("b=c", head.target().query());
        assertEquals("example.org", head.authority());
        assertEquals(Version.HTTP_2, head.version());
        assertEquals(List.of("host=example.org", "accept=text/html", "x-a="), lines(head.fields()));
    }

    @Test
    void theNextSectionHasNothingOfTheFormerOne() throws Exception {
        RequestHead first = request(GET + "|cookie=a=1|x-first=1");
        RequestHead second = request(":method=POST|:scheme=http|:path=/other|host=other.example|x-second=2");
        assertEquals(List.of("host=example.org", "cookie=a=1", "x-first=1"), lines(first.fields()));
        assertEquals(List.of("host=other.example", "x-second=2"), lines(second.fields()));
        assertEquals("other.example", second.authority());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // no pseudo-field
                ":scheme=https|:authority=a|:path=/", // no method
                ":method=GET|:authority=a|:path=/", // no scheme
                ":method=GET|:scheme=https|:authority=a", // no path
                ":method=GET|:scheme=https|:authority=a|:path=", // empty path
                ":method=GET|:scheme=https|:authority=a|:path=a", // no slash
                ":method=GET|:scheme=https|:authority=a|:path=http://a/", // absolute form
                ":method=GET|:method=GET|:scheme=https|:authority=a|:path=/", // repeated
                ":method=G T|:scheme=https|:authority=a|:path=/",
                ":method=CONNECT|:scheme=https|:authority=a|:path=/",
                ":method=CONNECT",
                GET + "|:status=200",
                GET + "|:unknown=1",
                GET + "|x=1|:method=GET", // behind a field
                GET + "|X-Upper=1",
                GET + "|=empty name",
                GET + "|a b=1",
                GET + "|a:b=1",
                GET + "|connection=close",
                GET + "|keep-alive=1",
                GET + "|proxy-connection=close",
                GET + "|transfer-encoding=chunked",
                GET + "|upgrade=websocket",
                GET + "|te=gzip",
                GET + "|te=trailers, deflate",
                GET + "|host=other.example",
                GET + "|x= blank before",
                GET + "|x=blank behind\t",
                GET + "|x=a\rb",
                GET + "|x=a\nb",
                GET + "|x=a\0b",
            })
    void malformedRequestsAreRecognized(String fields) {
        decode(false, fields);
        assertNotNull(section.malformed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GET + "|te=trailers",
                GET + "|host=EXAMPLE.org",
                ":method=OPTIONS|:scheme=https|:authority=a|:path=*",
                ":method=CONNECT|:authority=a:443",
                ":path=/|:authority=a|:method=GET|:scheme=https", // in any order
                GET + "|x=\u00e9\tb",
            })
    void wellFormedRequestsAreAccepted(String fields) throws Exception {
        assertNotNull(request(fields));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":method=GET|:scheme=https|:path=/", // no host
                ":method=GET|:scheme=https|:path=/|host=a|host=a",
                ":method=GET|:scheme=https|:authority=user@a|:path=/",
                ":method=GET|:scheme=https|:authority=|:path=/",
                ":method=GET|:scheme=https|:authority=a|:path=/<>",
                ":method=GET|:scheme=https|:authority=a|:path=*",
            })
    void requestsThatHttp11WouldRefuseGet400(String fields) {
        decode(false, fields);
        assertNull(section.malformed());
        assertEquals(400, assertThrows(Violation.class, section::request).status());
    }

    @Test
    void crumbsOfCookiesAreOneField() throws Exception {
        RequestHead head = request(GET + "|cookie=a=1|cookie=b=2|cookie=c=3|x=y");
        assertEquals(List.of("host=example.org", "cookie=a=1; b=2; c=3", "x=y"), lines(head.fields()));
        head = request(GET + "|cookie=a=1|x=y|cookie=b=2|cookie=c=3");
        assertEquals(List.of("host=example.org", "cookie=a=1; b=2; c=3", "x=y"), lines(head.fields()));
    }

    @Test
    void fieldsAreCountedWhileTheyAreDecoded() throws Exception {
        int most = LIMITS.headerBytes() / (1 + FieldSection.FIELD_OVERHEAD);
        StringBuilder fields = new StringBuilder(GET);
        for (int i = 0; i < most; i++) {
            fields.append("|cookie=");
        }
        decode(false, fields.toString());
        assertTrue(section.isDropping());
        assertNull(section.malformed());
        assertEquals(431, assertThrows(Violation.class, section::request).status());
        assertTrue(section.bytes().length < LIMITS.headerBytes());
    }

    @Test
    void theNumberOfFieldsIsBounded() throws Exception {
        StringBuilder fields = new StringBuilder(GET);
        for (int i = 1; i < LIMITS.headerCount(); i++) {
            fields.append("|x=");
        }
        assertEquals(LIMITS.headerCount(), request(fields.toString()).fields().size());
        decode(false, fields + "|x=");
        assertEquals(
                Key.HEADER_COUNT_LIMIT,
                assertThrows(Violation.class, section::request).limit());
    }

    @Test
    void aLongPathIsRefusedAsALongRequestLineIs() {
        decode(false, ":method=GET|:scheme=https|:authority=a|:path=/" + "a".repeat(LIMITS.requestLine()));
        assertEquals(414, assertThrows(Violation.class, section::request).status());
    }

    @Test
    void trailersHaveNoPseudoFields() throws Exception {
        decode(true, "x-checksum=1|x=2");
        assertNull(section.malformed());
        assertEquals(List.of("x-checksum=1", "x=2"), lines(section.trailers()));
        decode(true, "x=1|:path=/");
        assertNotNull(section.malformed());
    }

    // ---- helpers

    private RequestHead request(String fields) throws Violation {
        decode(false, fields);
        assertNull(section.malformed());
        return section.request();
    }

    private void decode(boolean trailers, String fields) {
        section.begin(trailers);
        if (fields.isEmpty()) {
            return;
        }
        for (String field : fields.split("\\|", -1)) {
            int equals = field.indexOf('=');
            byte[] name = field.substring(0, equals).getBytes(StandardCharsets.ISO_8859_1);
            byte[] value = field.substring(equals + 1).getBytes(StandardCharsets.ISO_8859_1);
            int start = section.length();
            byte[] room = section.room(start, name.length + value.length);
            System.arraycopy(name, 0, room, start, name.length);
            System.arraycopy(value, 0, room, start + name.length, value.length);
            section.add(start + name.length, start + name.length + value.length);
        }
    }

    private static List<String> lines(Fields fields) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            lines.add(fields.name(i) + "=" + fields.value(i));
        }
        return lines;
    }
}
