package io.penstock.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** Tests the lines of the access log in each format: common, combined, JSON, and fields that the operator chooses. */
class LineFormatTest {

    private static String line(String format, Ended ended) {
        return line(format, "", ended);
    }

    private static String line(String format, String node, Ended ended) {
        LineFormat written = LineFormat.of(format, ZoneOffset.ofHours(1), node);
        LineBuffer out = new LineBuffer(16);
        written.write(ended.summary(), out);
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
        assertThrows(IllegalArgumentException.class, () -> LineFormat.of("cs()", ZoneOffset.UTC, ""));
        assertThrows(IllegalArgumentException.class, () -> LineFormat.of("Combined", ZoneOffset.UTC, ""));
    }
}
