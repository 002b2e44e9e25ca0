package io.penstock.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.Notes;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the access log for requests with hostile text, for example line breaks and quotes. The log has one line of printable ASCII for each
 * request, with the usual number of fields. In the JSON format, a parser can read the original text from the line.
 */
class HostileFieldsTest {
    private static final String STRING = "\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9A-Fa-f]{4})*\"";
    private static final String MEMBER = "\"[a-z_]+\":(?:null|-?(?:0|[1-9][0-9]*)|" + STRING + ")";
    private static final Pattern COMMON = Pattern.compile("192\\.0\\.2\\.7 - [!-~]+ \\[[^]]+\\] \"[^\"]*\" 400 5120");
    private static final Pattern FLAT_OBJECT = Pattern.compile("\\{" + MEMBER + "(?:," + MEMBER + ")*+\\}");

    private static String line(String format, Ended ended) {
        LineFormat written = LineFormat.of(format, ZoneOffset.UTC, "");
        LineBuffer out = new LineBuffer(16);
        written.write(ended.summary(), ended, out);
        String text = StandardCharsets.ISO_8859_1.decode(out.content()).toString();
        assertEquals(text.length() - 1, text.indexOf('\n'), text);
        String line = text.substring(0, text.length() - 1);
        assertTrue(line.chars().allMatch(c -> c >= ' ' && c < 0x7F), line);
        return line;
    }

    /** A request with the same text in all fields that a client can set, and in the server's reason for the refusal. */
    private static Ended requestWithText(String text) {
        return Ended.get(text)
                .method(text)
                .protocol(text)
                .field("Referer", text)
                .field("User-Agent", text)
                .user(text)
                .field("Cookie", "a=b; c=" + text)
                .responseField("Location", text)
                .attribute("name", text)
                .session(text)
                .refused(400, text);
    }

    static void assertHarmless(String text) {
        Ended ended = requestWithText(text);
        assertEquals(2, quotes(line("common", ended)));
        assertTrue(COMMON.matcher(line("common", ended)).matches(), line("common", ended));
        assertEquals(6, quotes(line("combined", ended)));
        String json = line("json", ended);
        assertTrue(FLAT_OBJECT.matcher(json).matches(), json);
        assertEquals(text.isEmpty() ? null : text, member(json, "user_agent"));
        assertEquals(text.isEmpty() ? null : text, member(json, "reason"));
        String chosen = line(
                "cs(User-Agent) cs-username cs-method cs-uri cs-uri-stem cs-uri-query cs-version x-reason sc-status",
                ended);
        String noted = "sc(Location) x-attribute(name) x-session-id x-cookie(c) sc-status";
        assertEquals(5, line(noted, ended).split(" ", -1).length, line(noted, ended));
        assertFalse(line(noted, ended).contains("\""), line(noted, ended));
        String more = line("json sc(Location)", ended);
        assertTrue(more.startsWith("{") && more.endsWith("}"), more);
        assertEquals(text.isEmpty() ? null : text, member(more, "sc(Location)"));
        assertEquals(9, chosen.split(" ", -1).length, chosen);
        assertFalse(chosen.startsWith("#"), chosen);
        assertFalse(chosen.contains("\""), chosen);
    }

    private static long quotes(String line) {
        return line.chars().filter(c -> c == '"').count();
    }

    /** The value of a member, as a JSON parser returns it. */
    private static String member(String json, String name) {
        Matcher found = Pattern.compile("\"" + Pattern.quote(name) + "\":(null|" + STRING + ")")
                .matcher(json);
        assertTrue(found.find(), json);
        String value = found.group(1);
        if (value.equals("null")) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < value.length() - 1; i++) {
            char c = value.charAt(i);
            if (c != '\\') {
                text.append(c);
            } else if (value.charAt(++i) == 'u') {
                text.append((char) Integer.parseInt(value.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                text.append(value.charAt(i));
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "\r\n192.0.2.66 - admin [01/Jan/2026:00:00:00 +0000] \"GET /secret HTTP/1.1\" 200 1",
                "\" 200 0 \"-\" \"-\"\n",
                "\u001b[2J\u001b[1;1H\u001b]0;title\u0007",
                "\\\",\"status\":200,\"x\":\"",
                "\\",
                "\\\\\"",
                "#Fields: date",
                "a b\tc\u000bd\u0085e\u2028f\u0000g\u007fh\u009bi",
                "%0a%22",
                "\u00e4\u00ff",
                "\ud83d\ude00 \ud83d",
                "{}[]:,'`$(id)<script>"
            })
    void hostileTextIsEscapedInTheLog(String text) {
        assertHarmless(text);
    }

    @Test
    void aRequestWithAnyByteValueHasAValidLogLine() {
        StringBuilder all = new StringBuilder();
        for (char c = 0; c < 256; c++) {
            assertHarmless(String.valueOf(c));
            all.append(c);
        }
        assertHarmless(all.toString());
    }

    /** A program on the same machine can choose the name of its socket. */
    @Test
    void theNameOfAUnixDomainSocketIsOneWord() {
        RequestSummary usual = Ended.get("/").summary();
        Request request = usual.request();
        RequestSummary local = new RequestSummary(
                new Request(
                        request.connection(),
                        request.number(),
                        UnixDomainSocketAddress.of("/tmp/a - root [b"),
                        request.method(),
                        request.target(),
                        request.protocol(),
                        request.fields()),
                usual.user(),
                usual.outcome(),
                usual.status(),
                usual.reason(),
                usual.volume(),
                usual.times());
        LineBuffer out = new LineBuffer(16);
        LineFormat.of("common", ZoneOffset.UTC, "").write(local, Notes.NONE, out);
        assertTrue(out.text().startsWith("/tmp/a\\x20-\\x20root\\x20[b - - ["), out.text());
    }
}
