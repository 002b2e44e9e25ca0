package io.penstock.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.Notes;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the lines of the access log in each format: common, combined, JSON, and fields that the operator chooses. */
class LineFormatTest {

    private static String line(String format, Ended ended) {
        return line(format, "", ended);
    }

    private static String line(String format, String node, Ended ended) {
        LineFormat written = LineFormat.of(format, ZoneOffset.ofHours(1), node);
        LineBuffer out = new LineBuffer(16);
        written.write(ended.summary(), ended, out);
        return StandardCharsets.US_ASCII.decode(out.content()).toString();
    }

    private static Ended request() {
        return Ended.get("/a/b?c=d")
                .field("Referer", "https://good.example/")
                .field("User-Agent", "Browser/1 (x; \"y\")");
    }

    @Test
    void aRequestIsWrittenInTheCommonFormat() {
        assertEquals(
                "192.0.2.7 - - [21/Nov/2026:15:08:16 +0100] \"GET /a/b?c=d HTTP/1.1\" 200 5120\n",
                line("common", request()));
    }

    @Test
    void theUserNameIsEscapedInEachFormat() {
        Ended known = Ended.get("/").user("ann of \u00fclm \u6771");
        assertEquals(
                "192.0.2.7 - ann\\x20of\\x20\\xFClm\\x20\\u6771 [21/Nov/2026:15:08:16 +0100] \"GET / HTTP/1.1\" 200 5120\n",
                line("common", known));
        assertEquals("ann%20of%20%FClm%20%u6771\n", line("cs-username", known));
        assertTrue(line("json", known).contains("\"user\":\"ann of \\u00FClm \\u6771\""));
    }

    @Test
    void aRequestIsWrittenInTheCombinedFormat() {
        assertEquals(
                "192.0.2.7 - - [21/Nov/2026:15:08:16 +0100] \"GET /a/b?c=d HTTP/1.1\" 200 5120"
                        + " \"https://good.example/\" \"Browser/1 (x; \\x22y\\x22)\"\n",
                line("combined", request()));
        assertEquals(
                "192.0.2.7 - - [21/Nov/2026:15:08:16 +0100] \"GET / HTTP/1.1\" - - \"-\" \"-\"\n",
                line("combined", Ended.get("/").gone("reset")));
        assertEquals(
                "192.0.2.7 - - [21/Nov/2026:15:08:16 +0100] \"-\" 400 5120 \"-\" \"-\"\n",
                line("combined", Ended.unread(400, "no proper method")));
    }

    @Test
    void aRequestIsWrittenInTheJsonFormat() {
        assertEquals(
                "{\"time\":\"2026-11-21T14:08:16.250Z\",\"id\":\"c7-1\",\"client\":\"192.0.2.7\",\"port\":40112,\"user\":null,\"method\":\"GET\","
                        + "\"path\":\"/a/b\",\"query\":\"c=d\",\"protocol\":\"HTTP/1.1\",\"referer\":\"https://good.example/\","
                        + "\"user_agent\":\"Browser/1 (x; \\\"y\\\")\",\"status\":200,\"outcome\":\"answered\",\"reason\":null,"
                        + "\"bytes_in\":5,\"bytes_out\":5120,\"disk_in\":6,\"disk_out\":7,\"head_us\":1000,\"body_us\":20000,"
                        + "\"queue_us\":300,\"service_us\":4000000,\"drain_us\":50,\"total_us\":4021350}\n",
                line("json", request()));
        String unread = line("json", Ended.unread(400, "no proper method"));
        assertTrue(unread.contains("\"method\":null,\"path\":null,\"query\":null,\"protocol\":null"), unread);
        assertTrue(unread.contains("\"outcome\":\"refused\",\"reason\":\"no proper method\""), unread);
        assertTrue(line("json", Ended.get("/").gone("x")).contains("\"status\":null"));
    }

    @Test
    void theOperatorCanChooseTheFieldsOfALine() {
        assertEquals(
                "2026-11-21 14:08:16 192.0.2.7 40112 GET /a/b?c=d /a/b c=d HTTP/1.1 5 200 5120 4.021350\n",
                line(
                        "date time c-ip c-port cs-method cs-uri cs-uri-stem cs-uri-query cs-version cs-bytes sc-status sc-bytes"
                                + " time-taken",
                        request()));
        assertEquals(
                "c7-1 refused queue-age 6 7 1000 1.000 20000 20.000 300 0.300 4000000 4000.000 50 0.050 4021350 4021.350\n",
                line(
                        "x-id x-outcome x-reason x-disk-in x-disk-out x-head-us x-head-ms x-body-us x-body-ms x-queue-us x-queue-ms"
                                + " x-service-us x-service-ms x-drain-us x-drain-ms x-total-us x-total-ms",
                        Ended.get("/").refused(503, "queue-age")));
        assertEquals(
                "Browser/1%20(x;%20%22y%22) - https://good.example/\n",
                line("cs(user-agent)  cs(X-None) cs(REFERER)", request()));
    }

    @Test
    void aLineCanHaveWhatTheServerHasNotedOfTheResponseAndTheSessionAndTheAttributes() {
        Ended noted = request()
                .responseField("Location", "/there now")
                .attribute("org.example.tenant", "acme")
                .session("ABC123")
                .field("Cookie", "theme=dark; lang = de ;x;lang=en");
        assertEquals(
                "/there%20now acme ABC123 de dark - - -\n",
                line(
                        "sc(location) x-attribute(org.example.tenant) x-session-id x-cookie(lang) x-cookie(theme)"
                                + " x-cookie(x) x-cookie(LANG) sc(X-None)",
                        noted));
        assertEquals("- - - -\n", line("sc(location) x-attribute(a) x-session-id x-cookie(a)", request()));
    }

    @Test
    void fieldsCanFollowTheCommonAndTheCombinedAndTheJsonFormat() {
        Ended noted = request().responseField("Location", "/there \"now\"");
        assertEquals(
                "192.0.2.7 - - [21/Nov/2026:15:08:16 +0100] \"GET /a/b?c=d HTTP/1.1\" 200 5120 4021.350"
                        + " /there%20%22now%22\n",
                line("common x-total-ms sc(Location)", noted));
        assertTrue(line("combined  x-node", "node1", noted).endsWith("(x; \\x22y\\x22)\" node1\n"));
        assertTrue(line("json sc(Location) cs-bytes date x-total-ms x-session-id", noted)
                .endsWith(",\"total_us\":4021350,\"sc(Location)\":\"/there \\\"now\\\"\",\"cs-bytes\":5,"
                        + "\"date\":\"2026-11-21\",\"x-total-ms\":4021.350,\"x-session-id\":null}\n"));
        assertEquals("", LineFormat.of("common date", ZoneOffset.UTC, "").preamble());
    }

    @Test
    void aFormatSaysWhatTheServerMustNoteOfEachRequest() {
        for (String format : List.of("common", "combined", "json", "date cs(Host) x-cookie(a)")) {
            assertEquals(
                    Notes.Wanted.NOTHING,
                    LineFormat.of(format, ZoneOffset.UTC, "").wanted());
        }
        for (String others : List.of("", "combined ", "common ", "json ")) {
            assertEquals(
                    new Notes.Wanted(List.of("A", "Location"), List.of("b", "B"), true),
                    LineFormat.of(
                                    others
                                            + "sc(Location) x-attribute(b) sc(A) x-attribute(B) sc(location) x-session-id",
                                    ZoneOffset.UTC,
                                    "")
                            .wanted());
        }
    }

    @Test
    void theNameOfTheServerNodeIsWrittenToTheLine() {
        assertEquals("node1 200\n", line("x-node sc-status", "node1", request()));
        assertEquals("- 200\n", line("x-node sc-status", "", request()));
        String json = line("json", "node1", request());
        assertTrue(json.startsWith("{\"time\":\"2026-11-21T14:08:16.250Z\",\"node\":\"node1\",\"id\":"), json);
    }

    @Test
    void aLogFileWithChosenFieldsStartsWithTheFieldNames() {
        assertEquals(
                "#Version: 1.0\n#Fields: date cs(Host) x-total-ms\n",
                LineFormat.of(" date  cs(Host) x-total-ms ", ZoneOffset.UTC, "").preamble());
        assertEquals("", LineFormat.of("json", ZoneOffset.UTC, "").preamble());
    }

    @Test
    void unknownAndInvalidFieldNamesAreRejected() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> LineFormat.of("date cs-nothing", ZoneOffset.UTC, ""));
        assertTrue(refused.getMessage().startsWith("'cs-nothing' is neither"), refused.getMessage());
        assertThrows(IllegalArgumentException.class, () -> LineFormat.of("cs(a b)", ZoneOffset.UTC, ""));
        assertThrows(IllegalArgumentException.class, () -> LineFormat.of("json Combined", ZoneOffset.UTC, ""));
        assertThrows(IllegalArgumentException.class, () -> LineFormat.of("x-attribute", ZoneOffset.UTC, ""));
        assertThrows(IllegalArgumentException.class, () -> LineFormat.of("cs()", ZoneOffset.UTC, ""));
        assertThrows(IllegalArgumentException.class, () -> LineFormat.of("Combined", ZoneOffset.UTC, ""));
    }
}
